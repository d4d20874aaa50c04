import { describe, expect, it } from 'vitest'
import { verify } from '../../../src/engine/compact/verify/verify.ts'
import { compactMessages } from '../../../src/fit/compact-messages.ts'
import { nearest } from '../../../src/model/problems/problem-text.ts'
import type { Message, ToolPart } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const model = { contextWindow: 200_000 }
/** Time by the square shows at a tenth of it as well. */
const LONG = full ? 150_000 : 15_000
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

const results = (count: number, id?: string): ToolPart[] =>
  many(count, (i) => ({
    type: 'tool-result',
    toolCallId: id ?? `c${i}`,
    toolName: 'read',
    output: { type: 'text', value: 'x' },
  }))

/** These sizes break a program that is right for small ones: calls with too many arguments, quadratic time. */
describe('a very long session', () => {
  it.each<[string, readonly Message[]]>([
    ['of results without calls', many(LONG, (i) => result(`c${i}`, 'x'))],
    ['of one message with results without calls', [{ role: 'tool', content: results(LONG) }]],
    [
      'of one message with a result that comes again and again',
      [call('c0'), { role: 'tool', content: results(LONG, 'c0') }],
    ],
    [
      'of results that come late, all at once',
      [...many(LONG / 5, (i) => call(`c${i}`)), user('so?'), { role: 'tool', content: results(LONG / 5) }],
    ],
    ['of empty messages', many(LONG, () => assistant(''))],
    ['of calls without results', many(LONG / 5, (i) => [call(`c${i}`), assistant('t')]).flat()],
    ['of calls with the same id', many(LONG / 10, () => [call('same'), result('same')]).flat()],
    [
      'of commands that fail and files that are written',
      many(LONG / 25, (i) => [
        call(`b${i}`, 'bash', { command: `npm test ${i}` }),
        result(`b${i}`, `Exit code 1\nError: bad thing in src/g${i}.ts:1`, 'bash'),
        call(`w${i}`, 'write', { path: `src/h${i}.ts`, content: 'x' }),
        result(`w${i}`, 'ok', 'write'),
      ]).flat(),
    ],
    [
      'of files that are read in many folders, and of what was said of them',
      many(LONG / 10, (i) => [
        call(`r${i}`, 'read', { path: `src/p${i % 97}/f${i}.ts` }),
        result(`r${i}`, `export const value${i} = ${i}`),
        assistant(`File ${i} has value${i}.\n\nIt is used in part ${i + 1}.`),
      ]).flat(),
    ],
  ])('%s is compacted or left alone, not a crash', async (_, messages) => {
    const done = await compactMessages([user('go'), ...messages, user('next')], { model })
    expect(['compacted', 'skipped']).toContain(done.outcome)
  })

  it('with arguments that JSON cannot express is counted anyway', async () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const history = [
      user('go'),
      call('a', 'odd', cyclic),
      result('a'),
      call('b', 'odd', { big: 10n }),
      result('b'),
      user('on'),
    ]
    expect(await compactMessages(history, { model })).toMatchObject({ outcome: expect.any(String) })
  })
})

it('a very long name has no nearest one', () => {
  const candidates = many(5_000, (i) => `acme/model-${i}`)
  expect(nearest('acme/model-'.repeat(10_000), candidates)).toBeUndefined()
})

it('a summary of very many names is verified', () => {
  expect(verify('`a` '.repeat(LONG), { texts: ['a'] }).invented).toEqual([])
})

it.each<[unknown, RegExp]>([
  [null, /^message 2: /],
  [{ role: 'user' }, /^message 2: content: /],
  [{ role: 'user', content: [null] }, /^message 2: content/],
])('an invalid message is refused in one line that names it: %o', async (wrong, line) => {
  const messages = [user('go'), wrong] as Message[]
  await expect(compactMessages(messages, { model })).rejects.toMatchObject({
    code: 'bad-message',
    message: expect.stringMatching(line),
  })
})

it('a model that never stops writing is stopped, and the next rung is tried', async () => {
  const endless = {
    name: 'test/endless',
    async *stream() {
      for (;;) yield 'and so on '
    },
  }
  const history = Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? user : assistant)('word '.repeat(200)))
  const done = await compactMessages(history, { model: { contextWindow: 16_000 }, summaryModels: [endless] })
  expect(done).toMatchObject({ compacted: true, rung: 'digest' })
  expect(done.entries[0]).toMatchObject({ type: 'attempt', reason: 'the answer has no end' })
})
