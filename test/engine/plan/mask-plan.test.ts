import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { type MaskInput, maskPlan } from '../../../src/engine/plan/mask.ts'
import { type Entry, type Message, messagesOf, outputText, resultsOf } from '../../../src/model/types.ts'
import { charactersByFour, messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { expectWithinBounds } from '../../support/within-bounds.ts'

const estimator = charactersByFour
const words = (tokens: number) => 'word'.repeat(tokens)
const read = (id: string, path = `${id}.ts`, tokens = 400) => [call(id, 'read', { path }), result(id, words(tokens))]
const run = (id: string, command: string, tokens = 400) => [
  call(id, 'bash', { command }),
  result(id, words(tokens), 'bash'),
]
/** The plan for these messages; the handle of each result is about 14 tokens. */
function masked(messages: readonly Message[], more: Partial<MaskInput> & { log?: readonly Entry[] } = {}) {
  const view = viewOf(more.log ?? logOf(messages))
  return maskPlan({ view, cut: view.items.length, needTokens: 300, estimator, ...more })
}
/** Where nothing is cached a batch pays at once. */
const NO_CACHE = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
const targets = (plan: ReturnType<typeof maskPlan>) => (plan.kind === 'mask' ? plan.targets : plan.reason)

describe('what is masked first', () => {
  it('is a file that was read again', () => {
    const messages = [user('go'), ...read('a'), ...read('b'), ...read('c', 'b.ts')]
    expect(targets(masked(messages))).toEqual([5])
  })

  it('is a file that was written later', () => {
    const messages = [user('go'), ...read('a'), ...read('b'), call('w', 'write', { path: 'b.ts' }), result('w')]
    expect(targets(masked(messages))).toEqual([5])
  })

  it('is the output of a command that was run again', () => {
    const messages = [user('go'), ...run('a', 'ls'), ...run('b', 'npm test'), ...run('c', 'npm test')]
    expect(targets(masked(messages))).toEqual([5])
  })

  it('is not a step of several calls of which one was not made again', () => {
    const both: Message = {
      role: 'assistant',
      content: ['x', 'y'].map((id) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: 'read',
        input: { path: `${id}.ts` },
      })),
    }
    const results: Message = {
      role: 'tool',
      content: ['x', 'y'].map((id) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: 'read',
        output: { type: 'text', value: words(200) },
      })),
    }
    const messages = [user('go'), ...read('a'), both, results, ...read('c', 'x.ts')]
    expect(targets(masked(messages))).toEqual([3])
  })

  it('is the oldest if nothing is superseded', () => {
    expect(targets(masked([user('go'), ...read('a'), ...read('b'), ...read('c')]))).toEqual([3])
  })
})

describe('a batch', () => {
  const messages = [user('go'), ...Array.from({ length: 6 }, (_, i) => read(`r${i}`)).flat()]

  it.each([
    [1, 1],
    [380, 1],
    [400, 2],
    [1_100, 3],
    [2_300, 6],
  ])('that has to free %i tokens masks %i results', (needTokens, count) => {
    const plan = masked(messages, { needTokens, prices: NO_CACHE })
    expect(targets(plan)).toHaveLength(count)
    if (plan.kind === 'mask') expect(plan.gainTokens).toBeGreaterThanOrEqual(needTokens)
  })

  it('that may take all output takes it, since the cache is broken once', () => {
    const plan = masked(messages, { needTokens: 1, prices: NO_CACHE, takesAllOutput: true })
    expect(targets(plan)).toHaveLength(6)
    if (plan.kind === 'mask') expect(plan.gainTokens).toBeGreaterThan(2_300)
  })

  it('that may take all output leaves arguments that need not go', () => {
    const wrote = [user('go'), ...read('a'), call('w', 'write', { path: 'a.ts', content: words(400) }), result('w')]
    expect(targets(masked(wrote, { takesAllOutput: true }))).toEqual([3])
  })

  it('is none when all output together is not enough, and says what it would free', () => {
    const plan = masked(messages, { needTokens: 5_000 })
    expect(plan).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/free [\d,]+ of 5,000 tokens/) })
  })

  it('frees what it says', () => {
    const plan = masked(messages, { needTokens: 1_000 })
    if (plan.kind !== 'mask') throw new Error(plan.reason)
    const log = logOf(messages)
    const after = appended(log, [{ type: 'mask', targets: [...plan.targets], tokensBefore: 0, tokensAfter: 0 }])
    expect(tokensOf(log) - tokensOf(after)).toBe(plan.gainTokens)
  })

  it('leaves short results alone: a handle would save nothing', () => {
    expect(masked([user('go'), ...read('a', 'a.ts', 20)], { needTokens: 1 })).toMatchObject({ kind: 'refused' })
  })

  it('masks large arguments of calls too', () => {
    const wrote = [user('go'), call('w', 'write', { path: 'a.ts', content: words(400) }), result('w')]
    expect(targets(masked(wrote))).toEqual([2])
  })
})

describe('a handle lists names from the text that it replaces', () => {
  const code = (names: string[]) => `${names.map((name) => `function ${name}() { return 1 }`).join('\n')}\n`.repeat(9)
  const messages = [
    user('go'),
    call('a', 'read', { path: 'a.ts' }),
    result('a', code(['parseDate', 'formatDate'])),
    call('b', 'read', { path: 'b.ts' }),
    result('b', code(['parseZone', 'formatDate'])),
  ]
  const shown = (nameCharacters?: number) => {
    const entry = { type: 'mask' as const, targets: [3, 5], tokensBefore: 0, tokensAfter: 0 }
    const named = nameCharacters === undefined ? entry : { ...entry, nameCharacters }
    const view = viewOf(appended(logOf(messages), [named]))
    return messagesOf(view).flatMap((message) => resultsOf(message).map(({ output }) => outputText(output)))
  }

  it('each once, at its last place', () => {
    const [first, second] = shown(1_000)
    expect(first).toMatch(/recall #3; names in it: parseDate\]$/)
    expect(second).toMatch(/recall #5; names in it: parseZone formatDate\]$/)
  })

  it('the newest if there is room for few', () => {
    const [first, second] = shown(12)
    expect(first).toMatch(/recall #3\]$/)
    expect(second).toMatch(/recall #5; names in it: parseZone\]$/)
  })

  it('but none in a log that was written before handles had names', () => {
    expect(shown().join()).not.toContain('names in it')
  })

  it('and what is masked is not masked again', () => {
    const log = appended(logOf(messages), [
      { type: 'mask', targets: [3], nameCharacters: 1_000, tokensBefore: 0, tokensAfter: 0 },
      { type: 'mask', targets: [3, 5], nameCharacters: 1_000, tokensBefore: 0, tokensAfter: 0 },
    ])
    const texts = messagesOf(viewOf(log)).flatMap((message) =>
      resultsOf(message).map(({ output }) => outputText(output)),
    )
    expect(texts[0]).toMatch(
      /^\[masked to save context: \d{3} characters, recall #3; names in it: parseDate formatDate\]$/,
    )
  })

  it('and the batch frees what is needed, names and all', async () => {
    const many = [
      user('go'),
      ...Array.from({ length: 42 }, (_, i) => read(`r${i}`, `f${i}.ts`, 800)).flat(),
      ...turns(4, 400),
    ]
    const policy = { keepTokens: 2_000, nameTokens: 4_000, nameMaxPercent: 10, rungs: ['mask' as const] }
    const done = await compact({
      log: logOf(many),
      policy,
      reason: 'threshold',
      model: { contextWindow: 40_000 },
      estimator,
    })
    expect(done).toMatchObject({ rung: 'mask' })
  })
})

describe('a mask never touches', () => {
  const messages = [user('go'), ...read('a'), ...read('b'), ...read('c')]

  it('the tail', () => {
    expect(targets(masked(messages, { cut: 3 }))).toEqual([3])
    expect(masked(messages, { cut: 3, needTokens: 700 })).toMatchObject({ kind: 'refused' })
    expect(masked(messages, { cut: 2 })).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['a result', 3],
    ['the call of a result', 2],
  ])('what is pinned: %s', (_, target) => {
    const log = appended(logOf(messages), [{ type: 'pin', target, on: true }])
    expect(targets(masked(messages, { log }))).toEqual([5])
  })

  it('what the user and the agent said', () => {
    const talk = [user(words(900)), assistant(words(900)), ...read('a')]
    expect(targets(masked(talk))).toEqual([4])
  })
})

describe('a batch pays', () => {
  /** 400 tokens are masked before 8,000 that have to go into the cache again. */
  const messages = [user('go'), ...read('a'), ...turns(20, 800)]
  const prices = { input: 3, output: 15 }

  it('when cached input is hardly cheaper than other input', () => {
    expect(masked(messages, { prices: { ...prices, cacheRead: 1.5, cacheWrite: 3 } })).toMatchObject({ kind: 'mask' })
  })

  it('at once when cached input is not cheaper at all', () => {
    const long = [user('go'), ...read('a'), ...turns(60, 800)]
    expect(masked(long, { prices: NO_CACHE })).toMatchObject({ kind: 'mask' })
    expect(masked(long, { prices: { ...NO_CACHE, cacheRead: 2 } })).toMatchObject({ kind: 'mask' })
  })

  it('not when it takes too many requests until the broken cache is paid for', () => {
    const plan = masked(messages, { prices: { ...prices, cacheRead: 0.3, cacheWrite: 3.75 } })
    expect(plan).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/pay off only after \d+ requests/) })
  })

  it('in any case when the provider has forgotten the last request', () => {
    const plan = masked(messages, { prices: { ...prices, cacheRead: 0.3, cacheWrite: 3.75 }, cacheCold: true })
    expect(plan).toMatchObject({ kind: 'mask' })
  })

  it('more the later it begins', () => {
    const late = [user('go'), ...turns(20, 800), ...read('a')]
    expect(masked(late, { prices: { ...prices, cacheRead: 0.3, cacheWrite: 3.75 } })).toMatchObject({ kind: 'mask' })
  })

  it('by the usual prices if none are known', () => {
    expect(masked(messages)).toMatchObject({ kind: 'refused' })
    expect(masked([user('go'), ...turns(20, 800), ...read('a')])).toMatchObject({ kind: 'mask' })
  })

  it('or not in finite numbers if a model costs nothing', () => {
    const plan = masked(messages, { prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } })
    expect(JSON.stringify(plan)).not.toMatch(/null|NaN|Infinity/)
  })
})

describe('a compaction by masking', () => {
  const messages = [user('go'), ...Array.from({ length: 60 }, (_, i) => read(`r${i}`, `f${i % 7}.ts`, 150)).flat()]
  const log = logOf(messages)
  const input = { log, estimator, model: { contextWindow: 10_000 }, reason: 'threshold' as const }

  it('asks no model, is one entry, and is undone exactly', async () => {
    const summariser = modelSaying('## Goal\nTo get on.')
    const done = await compact({ ...input, summaryModels: [summariser] })
    expect(done).toMatchObject({ compacted: true, rung: 'mask', messagesRemoved: 0 })
    expect(done).not.toHaveProperty('summary')
    expect(summariser.requests).toEqual([])
    expect(done.entries).toMatchObject([
      { type: 'mask', tokensBefore: done.tokensBefore, tokensAfter: done.tokensAfter },
    ])
    expectWithinBounds(done, input)
    expect(validate(requestOf(done.view).messages)).toEqual([])
    const undone = appended([...log, ...done.entries], [{ type: 'undo', of: done.entries[0]?.seq ?? 0 }])
    expect(JSON.stringify(messagesOf(viewOf(undone)))).toBe(JSON.stringify(messages))
  })

  it('leaves the handle of each result that it masks', async () => {
    const done = await compact(input)
    const [entry] = done.entries
    if (entry?.type !== 'mask') throw new Error('no mask')
    for (const seq of entry.targets) {
      expect(JSON.stringify(done.messages[seq - 1])).toContain(`recall #${seq}`)
      expect(done.messages[seq - 1]?.role).toBe(messages[seq - 1]?.role)
    }
  })

  it('is not what a user gets who asks for a compaction', async () => {
    expect(await compact({ ...input, reason: 'manual' })).toMatchObject({ compacted: true, rung: 'digest' })
  })

  it('leads to the next rung when it is not enough', async () => {
    const reasons: string[] = []
    const done = await compact({
      ...input,
      log: logOf([...turns(40, 900), ...read('a')]),
      onEvent: (event) => event.type === 'refused' && reasons.push(`${event.rung}: ${event.reason}`),
    })
    expect(done).toMatchObject({ compacted: true, rung: 'digest' })
    expect(reasons).toEqual([expect.stringMatching(/^mask: masking all old tool output would free/)])
  })
})

function tokensOf(log: readonly Entry[]): number {
  return messagesOf(viewOf(log)).reduce((sum, message) => sum + messageTokens(message, estimator), 0)
}
