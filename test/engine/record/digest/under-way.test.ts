import { expect, it } from 'vitest'
import { appended } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { turnsOf } from '../../../../src/engine/extract/statements.ts'
import { underWay } from '../../../../src/engine/record/digest/digest.ts'
import type { EntryDraft, Message } from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

function firstLine(...messages: readonly Message[]): string | undefined {
  return linesOf(messages)[0]
}

/** The lines about the turn of these messages, if those of the tail come after the record. */
function linesOf(messages: readonly Message[], tail: readonly Message[] = []): readonly string[] {
  const drafts = [...messages, ...tail].map((message): EntryDraft => ({ type: 'message', message }))
  const all = viewOf([...appended([], drafts)]).items.slice()
  const items = all.slice(0, messages.length)
  return underWay(turnsOf(items).at(-1), items, all.slice(messages.length)).map(({ render }) => render(0))
}

it('a turn that is not finished says how many calls it has made', () => {
  const one = [user('go'), call('a'), result('a')]
  expect(firstLine(...one)).toBe('The work on the request #1 is under way: 1 tool call so far.')
  expect(firstLine(...one, call('b'), result('b'))).toContain('2 tool calls so far.')
})

it('a turn that the messages after the record finish is not under way', () => {
  const begun = [user('go'), call('a'), result('a')]
  expect(linesOf(begun, [assistant('It is done.')])).toEqual([])
  expect(linesOf(begun, [call('b'), result('b'), assistant('It is done.'), user('Thanks')])).toEqual([])
  expect(linesOf(begun, [user('Wait'), assistant('Yes?')])).not.toEqual([])
})

it('the last steps of a turn are shown until a result comes after the record', () => {
  const begun = [user('go'), call('a'), result('a')]
  expect(linesOf(begun, [call('b')]).join('\n')).toContain('output of a')
  expect(linesOf(begun, [call('b'), result('b')]).join('\n')).not.toContain('output of a')
})
