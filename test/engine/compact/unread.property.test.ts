import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import type { CompactResult } from '../../../src/model/compact-result.ts'
import { type Message, resultsOf, uncounted } from '../../../src/model/types.ts'
import { replay } from '../../../src/study/replay/replay.ts'
import {
  type Estimator,
  charactersByFour as estimator,
  messageTokens,
  scaledEstimator,
} from '../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { status } from '../../../src/tokens/status.ts'
import { full } from '../../support/full.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'
import { budgetFor } from '../../support/within-bounds.ts'

/** Each number of tokens has the same chance as its double. */
const windows = fc
  .double({ min: Math.log(4_000), max: Math.log(2_000_000), noNaN: true })
  .map((x) => Math.round(Math.exp(x)))
const percents = (max: number) => fc.integer({ min: 0, max })
const reasons = fc.constantFrom('threshold' as const, 'overflow' as const, 'manual' as const)

type Pieces = { window: number; fixed: number; read: number; unread: number; kind: 'words' | 'results' | 'batch' }
const pieces: fc.Arbitrary<Pieces> = fc.record({
  window: windows,
  // Beside more than that a window of 4,000 tokens has no room for a record.
  fixed: percents(70),
  read: percents(300),
  unread: percents(200),
  kind: fc.constantFrom('words', 'results', 'batch'),
})

describe('in any window and beside any fixed part', () => {
  it('an unread message goes out whole while it fits, else its largest share, and both are reported', async () => {
    const seen = { whole: 0, squeezed: 0, floor: 0 }
    await fc.assert(
      fc.asyncProperty(pieces, reasons, async (sizes, reason) => {
        const { messages, unread, fixed } = sessionOf(sizes)
        const model = { contextWindow: sizes.window }
        const log = logOf(messages)
        const done = await compact({ log, model, fixed, estimator, reason })
        const { limit = 0, ceiling = 0 } = budgetFor({ model, fixed, estimator })
        const fixedTokens = Math.ceil(fixed.system.length / 4)
        if (done.outcome === 'skipped' && done.skip === 'floor-too-large') {
          seen.floor++
          expect(ceiling - fixedTokens).toBeLessThan(600)
          return
        }
        expect(done.outcome).not.toBe('failed')
        expect(done.tokensAfter).toBeLessThanOrEqual(ceiling)
        expect(validate(requestOf(done.view).messages)).toEqual([])
        const whole = unread.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
        // The largest record that must be there: the frame, two short messages of the user, the calls of the last step.
        if (fixedTokens + whole + 1_200 <= limit) {
          seen.whole++
          expect(done.messages.slice(-unread.length)).toEqual(unread)
          expect('leftOut' in done).toBe(false)
        } else if (shortened(done, unread)) {
          seen.squeezed++
          expect(done).toMatchObject({ leftOut: { seqs: expect.anything() } })
          expect(JSON.stringify(done.messages.slice(-unread.length))).toContain('recall #')
          expect(done.tokensAfter).toBeGreaterThan(
            fixedTokens + (Math.min(limit, fixedTokens + whole) - fixedTokens) * 0.8 - 300,
          )
        }
      }),
      {
        numRuns: full ? 1_000 : 6,
        examples: [
          [{ window: 64_000, fixed: 10, read: 60, unread: 40, kind: 'batch' }, 'threshold'],
          [{ window: 64_000, fixed: 10, read: 60, unread: 140, kind: 'results' }, 'threshold'],
        ],
      },
    )
    expect(seen.whole).toBeGreaterThan(full ? 100 : 0)
    expect(seen.squeezed).toBeGreaterThan(full ? 100 : 0)
  })

  it('it neither triggers nor blocks a compaction of what was read', async () => {
    await fc.assert(
      fc.asyncProperty(windows, percents(40), percents(70), async (window, fixed, read) => {
        const model = { contextWindow: window }
        const system = { system: text((fixed * window) / 100) }
        const budget = budgetFor({ model, fixed: system, estimator })
        const log = logOf([...turns(2), ...talk(Math.round((read * window) / 100))])
        const free = Math.floor(((budget.limit ?? 0) - (budget.target ?? 0)) * 0.9)
        const more = appended(log, [{ type: 'message', message: user(text(free)) }])
        const outcome = async (entries: typeof log) => {
          const done = await compact({ log: entries, model, fixed: system, estimator, reason: 'threshold' })
          return { outcome: done.outcome, isOver: done.tokensBefore > (budget.limit ?? 0) }
        }
        const [alone, behind] = [await outcome(log), await outcome(more)]
        if (!behind.isOver) expect(behind.outcome).toBe(alone.outcome)
        if (alone.outcome === 'compacted') expect(behind.outcome).toBe('compacted')
      }),
      { numRuns: full ? 300 : 4 },
    )
  })
})

type Batch = {
  window: number
  fixed: number
  read: number
  /** The tokens of all parts, in percent of what the fixed parts leave of the window. */
  all: number
  parts: readonly { weight: number; text: keyof typeof TEXTS }[]
  form: 'one message' | 'a message each' | 'two messages'
  estimator: Estimator
  pending: boolean
}
const TEXTS = {
  lines: 'a line of a file, which is read here\n',
  code: '  const total = sums[3] ?? { a: 1 }\n',
  digits: '0123456789 8372618273\n',
  chinese: '这是一个测试文件的内容需要阅读。',
  'one long line': 'word ',
}
const batches: fc.Arbitrary<Batch> = fc.record({
  window: fc
    .double({ min: Math.log(4_000), max: Math.log(1_000_000), noNaN: true })
    .map((x) => Math.round(Math.exp(x))),
  fixed: percents(90),
  read: fc.constantFrom(0, 0, 10, 50, 200),
  all: fc.integer({ min: 50, max: 250 }),
  parts: fc.array(
    fc.record({
      weight: fc.constantFrom(1, 1, 1, 5, 0.1, 0.01),
      text: fc.constantFrom(...(Object.keys(TEXTS) as (keyof typeof TEXTS)[])),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  form: fc.constantFrom('one message', 'a message each', 'two messages'),
  estimator: fc.constantFrom(estimator, featureEstimator, scaledEstimator(featureEstimator, 130)),
  pending: fc.boolean(),
})

describe('parallel results that do not fit', () => {
  it('use at least 95 % of the room together, and a part is only shortened if it is one of the largest', async () => {
    const seen = { shortened: 0, others: 0 }
    await fc.assert(
      fc.asyncProperty(batches, reasons, async (batch, reason) => {
        const { messages, unread, fixed, pending } = parallel(batch)
        const model = { contextWindow: batch.window }
        const input = { log: logOf(messages), model, fixed, estimator: batch.estimator, pending, reason }
        const done = await compact(input)
        const { limit = 0, ceiling = 0 } = budgetFor(input)
        if (!done.compacted) return void seen.others++
        const { tokens } = status({ ...input, view: uncounted(done.view) })
        expect(tokens).toBeLessThanOrEqual(ceiling)
        expect(validate(requestOf(done.view, pending).messages)).toEqual([])
        const [before, after] = [unread, done.messages.slice(-unread.length)].map((of) =>
          partSizes(of, batch.estimator),
        )
        if (before === undefined || after === undefined || sum(after) >= sum(before)) return void seen.others++
        const room = (tokens > limit ? ceiling : limit) - (tokens - sum(after))
        if (done.view.items.unread() === done.view.items.length) {
          // Everything is in the record: there was no room for the calls and a handle of each.
          expect(tokens + batch.parts.length * 60).toBeGreaterThan(limit)
          return void seen.others++
        }
        seen.shortened++
        // Below that a token more or less is a percent.
        expect(sum(after)).toBeGreaterThanOrEqual(Math.floor(room * 0.95) - 1)
        const longest = Math.max(...after)
        for (const [i, size] of after.entries()) {
          // A shortened part is as long as the longest, and at least as long as the handle that it needs.
          if (size < (before[i] ?? 0)) expect(size).toBeGreaterThanOrEqual(longest * 0.9 - 30)
        }
      }),
      {
        numRuns: full ? 1_500 : 25,
        examples: [
          [exampleOf(64_000, 4, 101), 'threshold'],
          [exampleOf(200_000, 4, 97), 'threshold'],
          [exampleOf(5_455, 8, 150, { fixed: 60, read: 200 }), 'overflow'],
        ],
      },
    )
    expect(seen.shortened).toBeGreaterThan(seen.others)
  })
})

describe('what the user said last', () => {
  it.each([
    ['before the last results', 'before'],
    ['as the last word', 'last'],
  ])('%s stays whole beside large fixed parts in a small window', async (_, where) => {
    const asked = user('Change the parser so that it reads dates, and say what you changed. '.repeat(6).slice(0, 400))
    for (const percent of [20, 50, 75, 77]) {
      for (const tokens of [200, 10_000]) {
        const log = logOf([
          user(text(700)),
          ...batchesOf(where === 'last' ? 1 : 7, 'a', tokens),
          assistant('Yes.'),
          asked,
          ...batchesOf(where === 'last' ? 0 : 3, 'c', tokens),
        ])
        const model = { contextWindow: 4_000 }
        const fixed = { system: text((percent * 4_000) / 100) }
        const done = await compact({ log, model, fixed, estimator, reason: 'threshold' })
        expect(done.messages, `${percent} %, ${tokens} tokens`).toContainEqual(asked)
      }
    }
  })

  /** Steps of two calls each. */
  const batchesOf = (count: number, name: string, tokens: number): Message[] =>
    Array.from({ length: count }, (_, i): Message[] => {
      const ids = [`${name}${i}`, `${name}${i}-too`]
      return [
        { role: 'assistant', content: ids.flatMap((id) => callParts(id)) },
        { role: 'tool', content: ids.flatMap((id) => result(id, text(tokens)).content) },
      ]
    }).flat()
})

describe('many steps that each bring much to read', () => {
  const count = full ? 60 : 25
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
  it.each([
    [60_000, 1_000_000],
    [20_000, 64_000],
  ])('(%i tokens in a window of %i) are each sent whole, and nothing loops', async (tokens, window) => {
    const steps = Array.from({ length: count }, (_, i) => [
      call(`c${i}`, 'read', { path: `src/part-${i}.ts` }),
      result(`c${i}`, text(tokens, i)),
    ])
    const log = logOf([user('Read all parts, one after the other.'), ...steps.flat(), assistant('I have read them.')])
    const sent: number[] = []
    const { requests, cost = 0 } = await replay(log, {
      model: { contextWindow: window, prices },
      // Names in handles take most of the time and do not change what is sent whole.
      policy: full ? {} : { nameTokens: 0 },
      onRequest: (_, items) => {
        const unread = items.slice(items.unread())
        sent.push(unread.reduce((sum, { message }) => sum + messageTokens(message, estimator), 0))
      },
    })
    const rungs = requests.flatMap(({ compacted }) => (compacted === undefined ? [] : [compacted.rung]))
    const masks = rungs.filter((rung) => rung === 'mask').length
    console.info(
      `${count} steps of ${tokens} tokens in a window of ${window}: ${masks} masks, ${rungs.length - masks} other compactions, $${cost.toFixed(2)}`,
    )
    expect(sent).toHaveLength(count + 1)
    expect(Math.min(...sent.slice(1))).toBeGreaterThan(tokens * 0.99)
    expect(Math.max(...requests.map(({ input }) => input))).toBeLessThanOrEqual(window)
    expect(rungs.length).toBeLessThanOrEqual(count)
    expect(masks).toBeGreaterThan(rungs.length * 0.9)
  })
})

/** A session that fills that percentage of the window. */
function sessionOf({ window, fixed, read, unread, kind }: Pieces) {
  const tokens = Math.max(40, Math.round((unread * window) / 100))
  const system = text(Math.round((fixed * window) / 100))
  const before = [user('What is to be done?'), ...talk(Math.round((read * window) / 100))]
  const ids = kind === 'batch' ? ['x', 'y', 'z'] : ['x']
  const behind = kind === 'words' ? [user(text(tokens))] : ids.map((id) => result(id, text(tokens / ids.length)))
  const calls: Message[] = kind === 'words' ? [] : [{ role: 'assistant', content: ids.flatMap((id) => callParts(id)) }]
  return { messages: [...before, ...calls, ...behind], unread: behind, fixed: { system } }
}

/** A session that ends in results of calls that ran side by side. */
function parallel({ window, fixed, read, all, parts, form, pending, ...batch }: Batch) {
  const share = ((window * 4 * all) / 100) * (1 - fixed / 100)
  const weights = sum(parts.map(({ weight }) => weight))
  const ids = parts.map((_, i) => `p${i}`)
  const outputs = parts.flatMap((part, i) => {
    const length = Math.max(20, Math.round((share * part.weight) / weights))
    return result(`p${i}`, TEXTS[part.text].repeat(Math.ceil(length / TEXTS[part.text].length)).slice(0, length))
      .content
  })
  const first = form === 'two messages' ? 1 : outputs.length
  const lists =
    form === 'a message each' ? outputs.map((output) => [output]) : [outputs.slice(0, first), outputs.slice(first)]
  const unread: Message[] = lists.filter((list) => list.length > 0).map((content) => ({ role: 'tool', content }))
  const before = [user('What is to be done?'), ...talk(Math.round((read * window) / 100))]
  const calls: Message = { role: 'assistant', content: ids.flatMap((id) => callParts(id)) }
  return {
    messages: [...before, calls, ...unread],
    unread,
    fixed: { system: text(Math.round((fixed * window) / 100)) },
    pending: pending ? [user('And then say what is in them.')] : [],
    estimator: batch.estimator,
  }
}

function exampleOf(window: number, count: number, all: number, more: Partial<Batch> = {}): Batch {
  const parts = Array.from({ length: count }, () => ({ weight: 1, text: 'lines' as const }))
  return { window, fixed: 0, read: 0, all, parts, form: 'one message', estimator, pending: false, ...more }
}

function partSizes(messages: readonly Message[], by: Estimator): number[] {
  return messages.flatMap(resultsOf).map((part) => messageTokens({ role: 'tool', content: [part] }, by))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}

function callParts(id: string) {
  return [{ type: 'tool-call' as const, toolCallId: id, toolName: 'read', input: { path: `${id}.ts` } }]
}

/** Steps of an agent and remarks between them, of that many tokens. */
function talk(tokens: number): Message[] {
  const count = Math.min(40, Math.ceil(tokens / 200))
  const each = Math.floor(tokens / Math.max(1, count))
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? [call(`t${i}`, 'read', { path: `src/${i}.ts` }), result(`t${i}`, text(each))]
      : [assistant(text(each)), user(`Then ${i}.`), assistant('Yes.')],
  ).flat()
}

/** Lines of that many tokens together. */
function text(tokens: number, seed = 0): string {
  const line = `a line of part ${seed}, which is read here\n`
  return line.repeat(Math.ceil((tokens * 4) / line.length)).slice(0, Math.floor(tokens * 4))
}

function shortened({ messages }: CompactResult, unread: readonly Message[]): boolean {
  return JSON.stringify(messages.slice(-unread.length)) !== JSON.stringify(unread)
}
