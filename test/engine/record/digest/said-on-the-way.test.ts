import { expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import { refutedBy } from '../../../../src/engine/extract/refuted.ts'
import { turnsOf } from '../../../../src/engine/extract/statements.ts'
import { saidOnTheWay } from '../../../../src/engine/record/digest/digest.ts'
import { mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { Message } from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const linesOf = (messages: readonly Message[], shown: readonly string[] = []) => {
  const items = viewOf(logOf(messages)).items.slice()
  const isRefuted = refutedBy(mergeIndexes([indexDelta(items)]), 0)
  return saidOnTheWay(turnsOf(items).at(-1), new Set(shown), isRefuted).map(({ render }) => render(0))
}
const step = (text: string, id: string) => [assistant(text), call(id), result(id, 'ok')]

const TURN = [
  user('make the tests pass'),
  ...step('The API listens on port 3000, and the mock has to run before it.', 'a'),
  ...step('Let me look at the config of the tests, which is somewhere here.', 'b'),
  ...step('Charlie sees no shared items, as the list is loaded once. Let me check it.', 'c'),
  ...step('The web app is down.', 'd'),
]

it('remarks in an unfinished turn are listed newest first, without announcements and without the last word', () => {
  expect(linesOf(TURN)).toEqual([
    '- #8 Charlie sees no shared items, as the list is loaded once.',
    '- #2 The API listens on port 3000, and the mock has to run before it.',
  ])
})

it('remarks that appear elsewhere are left out, and so is a turn that has ended', () => {
  expect(linesOf(TURN, ['Charlie sees no shared items, as the list is loaded once.'])).toHaveLength(1)
  expect(linesOf([...TURN, assistant('All tests pass now.')])).toEqual([])
})

it('in a long turn a remark that says much comes before one that only reports progress', () => {
  const chatter = Array.from({ length: 30 }, (_, i) =>
    step(`The worker of part ${i} is still running, it seems.`, `c${i}`),
  )
  const messages = [
    user('watch it'),
    ...step(`The parser drops \`workers\` now. ${'It is read from the command line in its place. '.repeat(6)}`, 'x'),
    ...chatter.flat(),
    ...step('Done soon.', 'z'),
  ]
  expect(linesOf(messages).at(-1)).toContain('The parser drops `workers` now.')
})

it('a remark that the session refuted is left out, and one that nothing refuted stays', () => {
  const edit = (path: string, id: string) => [
    call(id, 'edit', { path, edits: [{ oldText: 'a', newText: 'b' }] }),
    result(id, 'ok', 'edit'),
  ]
  const messages = [
    user('make the tests pass'),
    ...step('The parser in `src/parse.ts` fails at an empty line of the input.', 'a'),
    ...step('The printer in `src/print.ts` fails at an empty line of the input.', 'b'),
    ...edit('src/parse.ts', 'c'),
    ...step('I run the tests.', 'd'),
  ]
  expect(linesOf(messages)).toEqual(['- #5 The printer in `src/print.ts` fails at an empty line of the input.'])
})
