import { expect, it } from 'vitest'
import { appended } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { turnsOf } from '../../../../src/engine/extract/statements.ts'
import { underWay } from '../../../../src/engine/record/digest/digest.ts'
import type { EntryDraft, Message } from '../../../../src/model/types.ts'
import { call, result, user } from '../../../support/messages.ts'

function firstLine(...messages: readonly Message[]): string | undefined {
  const drafts = messages.map((message): EntryDraft => ({ type: 'message', message }))
  const items = viewOf([...appended([], drafts)]).items.slice()
  return underWay(turnsOf(items).at(-1), items, [])[0]?.render(0)
}

it('a turn that is not finished says how many calls it has made', () => {
  const one = [user('go'), call('a'), result('a')]
  expect(firstLine(...one)).toBe('The work on the request #1 is under way: 1 tool call so far.')
  expect(firstLine(...one, call('b'), result('b'))).toContain('2 tool calls so far.')
})
