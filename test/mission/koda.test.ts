import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  appended,
  breakerOf,
  breakerState,
  type CompactEvent,
  type CompactInput,
  type CompactResult,
  closedBreaker,
  compact,
  compactMessages,
  logOf,
  type Message,
  PRESETS,
  recordFailure,
  recordSuccess,
  skipText,
  stripAnalysis,
} from '../../src/engine.ts'
import { registryOf, summaryModels } from '../../src/models/index.ts'
import { summarised } from '../support/summarised.ts'
import {
  assistant,
  calls,
  compacted,
  contentOf,
  hangingModel,
  inOrder,
  marks,
  modelOf,
  namedModel,
  result,
  saidIn,
  talk,
  user,
  words,
} from './support.ts'

const koda = { preset: 'koda' } as const

describe('when it runs', () => {
  it('R1: a manual compaction runs however little is used', async () => {
    const got = await compacted(talk(marks(10), 50), modelOf('summary'), {
      policy: koda,
      reason: 'manual',
      model: { contextWindow: 1_000_000 },
    })
    expect(got.compacted).toBe(true)
  })

  it.each([
    [7_999, false],
    [8_000, true],
  ])('R1: by itself at %i tokens of a window of 10,000: %s', async (tokens, runs) => {
    expect((await automatic(holding(tokens), 10_000)).compacted).toBe(runs)
  })

  it.each([
    [4_999, false],
    [5_000, true],
  ])('R1: with a threshold of 50 percent by itself at %i tokens of 10,000: %s', async (tokens, runs) => {
    expect((await automatic(holding(tokens), 10_000, { triggerPercent: 50 })).compacted).toBe(runs)
  })

  it('R1: what the next call would send besides the view counts', async () => {
    // 500 tokens of conversation and 310 of system prompt are 81 % of 1,000.
    const got = await compacted(talk(marks(10), 50), modelOf('summary'), {
      policy: koda,
      reason: 'threshold',
      model: { contextWindow: 1_000 },
      fixed: { system: 'x'.repeat(1_240) },
    })
    expect(got.compacted).toBe(true)
  })
})

describe('who writes the summary', () => {
  const strong = { provider: 'acme', model: 'big-5', tier: 'strong', prices: { input: 5, output: 25 } } as const
  const cheap = { provider: 'acme', model: 'small-5', tier: 'standard', prices: { input: 1, output: 5 } } as const
  const foreign = { ...cheap, provider: 'other' }

  it('R3: the preset asks for the standard tier', () => {
    expect(PRESETS.koda.summaryModel).toBe('standard')
  })

  it('R3: a standard model of the same provider comes before the main model', () => {
    expect(summaryModels(registryOf([strong, foreign, cheap]), strong, () => true)).toEqual([cheap, strong])
  })

  it.each([
    ['is of another provider', [strong, foreign], true],
    ['is not usable', [strong, cheap], false],
    ['does not exist', [strong], true],
  ] as const)('R3: the main model is alone when the cheaper one %s', (_, known, usable) => {
    expect(summaryModels(registryOf(known), strong, () => usable)).toEqual([strong])
  })

  it('R3: the cheaper model writes it and the main model is not asked', async () => {
    const [small, main] = [namedModel({ name: 'acme/small-5' }, 'by the small one'), modelOf('by the main one')]
    const got = await compactMessages(talk(marks(10)), { policy: koda, summaryModels: [small, main] })
    expect(got).toMatchObject({ compacted: true, summary: 'by the small one', model: 'acme/small-5' })
    expect(main.requests).toEqual([])
  })

  it.each([
    ['throws', new Error('quota exceeded')],
    ['reports an error', [{ type: 'error', error: 'overloaded' }]],
    ['answers nothing', '  '],
    ['is cut off', ['half', { type: 'finish', reason: 'length' }]],
    ['calls a tool', [{ type: 'tool-call', name: 'read' }]],
  ] as const)('R3: the main model writes it when the cheaper one %s', async (_, answer) => {
    const [small, main] = [namedModel({ name: 'acme/small-5' }, answer), modelOf('by the main one')]
    const got = await compactMessages(talk(marks(10)), { policy: koda, summaryModels: [small, main] })
    expect(got).toMatchObject({ compacted: true, summary: 'by the main one', model: 'acme/main' })
    expect(small.requests).toHaveLength(1)
    expect(saidIn(main.requests[0])).toBe(saidIn(small.requests[0]))
  })

  it('R3: when both fail it is one failure, with the reason of the main model', async () => {
    const small = namedModel({ name: 'acme/small-5' }, new Error('quota exceeded'))
    const got = await compactMessages(talk(marks(10)), {
      policy: koda,
      summaryModels: [small, modelOf(new Error('no network'))],
    })
    expect(got).toMatchObject({ outcome: 'failed', reason: 'no network' })
    expect(got.entries.filter((entry) => entry.type === 'attempt')).toHaveLength(1)
  })

  it('R3: a cancel is not a failure of the cheaper model: the main model is not asked', async () => {
    const { model: small, started } = hangingModel()
    const main = modelOf('by the main one')
    const cancel = new AbortController()
    const running = compactMessages(talk(marks(10)), {
      policy: koda,
      summaryModels: [small, main],
      signal: cancel.signal,
    })
    await started
    cancel.abort()
    expect((await running).outcome).toBe('cancelled')
    expect(main.requests).toEqual([])
  })
})

describe('what it covers', () => {
  it('R5: every message before the tail reaches the summariser, and the prompt asks for decisions', async () => {
    const model = modelOf('summary')
    await compacted(talk(marks(12)), model, { policy: koda })
    const said = saidIn(model.requests[0])
    // The last 4 of 12 stay: 1 to 8 are summarised.
    expect(inOrder(said, marks(8))).toBe(true)
    expect(said).toMatch(/decisions/i)
  })

  it('R5: an earlier summary is summarised again with what came after it', async () => {
    const model = modelOf('DECISION-ONE: we use SQLite', 'the second summary')
    const log = logOf(talk(marks(10)))
    const first = await compact({ log, policy: koda, summaryModels: [model] })
    const later = appended(
      [...log, ...first.entries],
      talk(['n1.', 'n2.', 'n3.', 'n4.']).map((message) => ({ type: 'message', message })),
    )
    const second = await compact({ log: later, policy: koda, summaryModels: [model] })
    // In view: the summary, m7 to m10 (the first tail), n1 to n4 (the new tail).
    expect(inOrder(saidIn(model.requests[1]), ['DECISION-ONE: we use SQLite', ...marks(10).slice(6)])).toBe(true)
    expect(second.messages).toHaveLength(5)
    expect(contentOf(second.messages[0])).toContain('the second summary')
    expect(contentOf(second.messages[0])).not.toContain('DECISION-ONE')
  })
})

describe('structured results', () => {
  it('R9: the logic imports nothing but itself and its schema library', () => {
    const foreign = ['model', 'tokens', 'engine']
      .flatMap((folder) => importsOf(folder))
      .filter((from) => from !== 'zod')
    expect(foreign).toEqual([])
  })

  it('R9: every outcome is plain data with the same fields, and no outcome is thrown', async () => {
    const outcomes = [
      await compacted(talk(marks(10)), modelOf('summary'), { policy: koda }),
      await compacted(talk(marks(2)), modelOf('summary'), { policy: koda }),
      await compacted(talk(marks(10)), modelOf(new Error('no network')), { policy: koda }),
      await compacted(talk(marks(10)), modelOf('summary'), { policy: koda, signal: AbortSignal.abort() }),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['compacted', 'skipped', 'failed', 'cancelled'])
    for (const { view: _, ...data } of outcomes) {
      // A function, a handle or a promise cannot be cloned.
      expect(structuredClone(data)).toEqual(data)
      expect(data).toMatchObject({ reason: expect.any(String), tokensBefore: expect.any(Number) })
    }
  })

  it('R9: progress is reported as data too', async () => {
    const events: CompactEvent[] = []
    const onEvent = (event: CompactEvent) => events.push(structuredClone(event))
    const small = namedModel({ name: 'acme/small-5' }, new Error('quota exceeded'))
    await compactMessages(talk(marks(10)), { policy: koda, summaryModels: [small, modelOf('summary')], onEvent })
    // 10 messages of 10 tokens, the last 4 stay.
    expect(events).toEqual([
      { type: 'start', reason: 'manual', tokens: 100, messages: 6 },
      { type: 'rung', rung: 'cold', model: 'acme/small-5' },
      { type: 'refused', rung: 'cold', model: 'acme/small-5', reason: 'quota exceeded' },
      { type: 'rung', rung: 'cold', model: 'acme/main' },
      // The summary of one token takes the place of 6 messages.
      { type: 'done', rung: 'cold', model: 'acme/main', tokensBefore: 100, tokensAfter: 41 },
    ])
  })

  it('R10: too short is a skip', async () => {
    const model = modelOf('summary')
    const got = await compacted(talk(marks(4)), model, { policy: koda })
    expect(got).toMatchObject({ outcome: 'skipped', skip: 'too-short', reason: skipText('too-short') })
    expect(model.requests).toEqual([])
  })

  it.each(['manual', 'threshold'] as const)('R10: pending tool calls are a skip (%s)', async (reason) => {
    const model = modelOf('summary')
    const history = [...talk(marks(10), 100), user('read both'), bothCalls, result('c1', 'one of two results')]
    const got = await compacted(history, model, { policy: koda, reason, model: { contextWindow: 1_000 } })
    expect(got).toMatchObject({ outcome: 'skipped', skip: 'pending-tool-calls' })
    expect(got.reason).toBe(skipText('pending-tool-calls'))
    expect(got.messages).toEqual(history)
    expect(model.requests).toEqual([])
  })

  it('R10: a summary that is not smaller than what it replaces is a skip', async () => {
    // 6 messages of 100 tokens would be replaced by one of 601.
    const history = talk(marks(10), 100)
    const got = await compacted(history, modelOf('s'.repeat(2_404)), {
      policy: koda,
      reason: 'threshold',
      model: { contextWindow: 1_000 },
    })
    expect(got).toMatchObject({ outcome: 'skipped', skip: 'nothing-to-gain', compacted: false })
    expect(got.messages).toEqual(history)
  })

  it('R10: an open breaker is a skip', async () => {
    const model = modelOf('summary')
    const got = await compact({ ...failedBefore(3), summaryModels: [model], reason: 'threshold' })
    expect(got).toMatchObject({ outcome: 'skipped', skip: 'breaker-open', reason: skipText('breaker-open') })
    expect(model.requests).toEqual([])
  })
})

describe('the tail', () => {
  it('R11: the last 4 messages stay verbatim', async () => {
    const history = talk(marks(10))
    const got = await compacted(history, modelOf('summary'), { policy: koda })
    expect(got.messages).toHaveLength(5)
    expect(got.messages.slice(1)).toEqual(history.slice(6))
  })

  it('R11: more stay if the fourth last is the result of a call', async () => {
    const history = [
      ...talk(marks(6)),
      calls(['c1', 'read', { path: 'a.ts' }]),
      result('c1', 'text of a.ts'),
      assistant('read it'),
      user('and now?'),
      assistant('done'),
    ]
    const got = await compacted(history, modelOf('summary'), { policy: koda })
    // The last 4 would start with the result: its call, the fifth last, stays too.
    expect(got.messages.slice(1)).toEqual(history.slice(-5))
  })

  it('R11: parallel calls stay together with all their results', async () => {
    const history = [
      ...talk(marks(6)),
      bothCalls,
      result('c1', 'one'),
      result('c2', 'two'),
      assistant('read both'),
      user('thanks'),
    ]
    const got = await compacted(history, modelOf('summary'), { policy: koda })
    // The last 4 would start with the first result.
    expect(got.messages.slice(1)).toEqual(history.slice(-5))
  })

  it('R11: a cut between two parallel results moves before their calls', async () => {
    const history = [
      ...talk(marks(6)),
      bothCalls,
      result('c1', 'one'),
      result('c2', 'two'),
      ...talk(['a.', 'b.', 'c.']),
    ]
    const got = await compacted(history, modelOf('summary'), { policy: koda })
    // The last 4 would start with the second result: 3 of talk, 2 results, 1 message of calls stay.
    expect(got.messages.slice(1)).toEqual(history.slice(-6))
  })
})

describe('the circuit breaker', () => {
  const policy = { breakerFailures: 3, breakerCooldownMs: 1_000 }

  it('R13: the third failure in a row has just tripped it, no other one has', () => {
    const one = recordFailure(closedBreaker, policy, 1)
    const two = recordFailure(one.breaker, policy, 2)
    const three = recordFailure(two.breaker, policy, 3)
    const four = recordFailure(three.breaker, policy, 4)
    expect([one, two, three, four].map(({ tripped }) => tripped)).toEqual([false, false, true, false])
    const states = [closedBreaker, one.breaker, two.breaker, three.breaker].map((b) => breakerState(b, policy, 4))
    expect(states).toEqual(['closed', 'closed', 'closed', 'open'])
  })

  it('R13: three is the default', () => {
    expect(PRESETS.koda.breakerFailures).toBe(3)
  })

  it('R13: a success resets it', () => {
    const two = recordFailure(recordFailure(closedBreaker, policy, 1).breaker, policy, 2).breaker
    const three = recordFailure(two, policy, 3).breaker
    expect(breakerState(recordSuccess(), policy, 4)).toBe('closed')
    expect(recordFailure(recordSuccess(), policy, 4).tripped).toBe(false)
    expect(breakerState(three, policy, 4)).toBe('open')
  })

  it('R13: after the cool-down one try is allowed, and its failure trips it again', () => {
    const open = { failures: 3, lastFailureAt: 5_000 }
    expect(breakerState(open, policy, 5_999)).toBe('open')
    expect(breakerState(open, policy, 6_000)).toBe('half-open')
    const again = recordFailure(open, policy, 6_000)
    expect(again.tripped).toBe(true)
    expect(breakerState(again.breaker, policy, 6_999)).toBe('open')
  })

  it('R13: three automatic compactions that fail open it, and the fourth asks no model', async () => {
    const model = modelOf(new Error('one'), new Error('two'), new Error('three'), 'summary')
    let input = { ...failedBefore(0), summaryModels: [model], reason: 'threshold' as const }
    for (const reason of ['one', 'two', 'three']) {
      const got = await compact(input)
      expect(got).toMatchObject({ outcome: 'failed', reason })
      input = { ...input, log: [...input.log, ...got.entries] }
    }
    expect(await compact(input)).toMatchObject({ outcome: 'skipped', skip: 'breaker-open' })
    expect(model.requests).toHaveLength(3)
  })

  it('R13: two failures leave it closed', async () => {
    const got = await compact({ ...failedBefore(2), summaryModels: [modelOf('summary')], reason: 'threshold' })
    expect(got.compacted).toBe(true)
  })

  it('R13: a manual compaction tries in spite of an open breaker, and its success closes it', async () => {
    const input = failedBefore(3)
    const got = await compact({ ...input, summaryModels: [modelOf('summary')], reason: 'manual' })
    expect(got.compacted).toBe(true)
    expect(breakerOf([...input.log, ...got.entries]).failures).toBe(0)
  })

  it('R13: a success between failures starts the count again', async () => {
    const input = failedBefore(2)
    const got = await compact({ ...input, summaryModels: [modelOf('summary')] })
    const log = appended([...input.log, ...got.entries], [failure, failure])
    expect(breakerState(breakerOf(log), policy, FAILED_AT)).toBe('closed')
    expect(breakerState(breakerOf(appended(log, [failure])), policy, FAILED_AT)).toBe('open')
  })

  it('R13: a cancel and a skip are not failures', () => {
    const log = appended(
      [],
      (['cancelled', 'skipped', 'cancelled', 'skipped'] as const).map((outcome) => ({
        type: 'attempt',
        outcome,
        reason: '',
      })),
    )
    expect(breakerOf(log)).toEqual(closedBreaker)
  })

  it('R13: a new session has a closed breaker', () => {
    expect(breakerOf([])).toEqual(closedBreaker)
    expect(breakerState(breakerOf([]), policy, 0)).toBe('closed')
  })

  it('R13: during the cool-down an automatic compaction is skipped, after it one is tried', async () => {
    const cooldownMs = PRESETS.koda.breakerCooldownMs
    const [early, late] = [modelOf('summary'), modelOf('summary')]
    const input = { ...failedBefore(3), reason: 'threshold' as const }
    const before = await compact({ ...input, summaryModels: [early], clock: () => FAILED_AT + cooldownMs - 1 })
    expect(before).toMatchObject({ outcome: 'skipped', skip: 'breaker-open' })
    expect((await compact({ ...input, summaryModels: [late], clock: () => FAILED_AT + cooldownMs })).compacted).toBe(
      true,
    )
  })
})

describe('the analysis', () => {
  it.each([
    ['before the summary', '<analysis>thoughts</analysis>\nthe summary'],
    ['behind it', 'the summary\n<analysis>thoughts</analysis>'],
    ['over several lines', '<analysis>\nthoughts\n\nthoughts\n</analysis>\n\nthe summary\n'],
    ['twice', '<analysis>thoughts</analysis>the summary<analysis>thoughts</analysis>'],
  ])('R14: an analysis %s is stripped', (_, text) => {
    expect(stripAnalysis(text)).toBe('the summary')
  })

  it('R14: a text without one is unchanged', () => {
    expect(stripAnalysis('## Analysis\nthe summary')).toBe('## Analysis\nthe summary')
  })

  it.each([
    ['with a heading', '<analysis>thoughts\n\n## Summary\nthe summary'],
    ['without a heading', '<analysis>thoughts\n\nthe summary'],
    ['with a tag', '<analysis>thoughts\n<summary>the summary</summary>'],
    ['behind the summary', 'the summary\n<analysis>thoughts'],
    ['before one that is closed', '<analysis>thoughts\n\nthe summary\n<analysis>thoughts</analysis>'],
  ])('R14: an unclosed analysis %s does not swallow the summary', (_, text) => {
    expect(stripAnalysis(text)).toContain('the summary')
  })

  it('R14: the view and the result hold the summary without its analysis', async () => {
    const model = modelOf(['<analysis>first I ', 'think</analysis>\n', 'the summary'])
    const got = await compacted(talk(marks(10)), model, { policy: koda })
    expect(summarised(got).summary).toBe('the summary')
    expect(contentOf(got.messages[0])).not.toContain('think')
  })

  it('R14: an answer with an unclosed analysis is still taken', async () => {
    const model = modelOf('<analysis>first I think\n\n## Summary\nthe summary')
    const got = await compacted(talk(marks(10)), model, { policy: koda })
    expect(got.compacted).toBe(true)
    expect(contentOf(got.messages[0])).toContain('the summary')
  })
})

const bothCalls: Message = calls(['c1', 'read', { path: 'a.ts' }], ['c2', 'read', { path: 'b.ts' }])
const failure = { type: 'attempt', outcome: 'failed', reason: 'no network' } as const
const FAILED_AT = 1_000_000

/** A session over its threshold whose last compactions have failed this often. */
function failedBefore(times: number): Pick<CompactInput, 'log' | 'policy' | 'model' | 'clock'> {
  const clock = () => FAILED_AT
  const log = appended(
    logOf(talk(marks(10), 100), { clock }),
    Array.from({ length: times }, () => failure),
    { clock },
  )
  return { log, policy: koda, model: { contextWindow: 1_000 }, clock }
}

function automatic(
  messages: readonly Message[],
  window: number,
  patch: { triggerPercent?: number } = {},
): Promise<CompactResult> {
  return compacted(messages, modelOf(words('summary', 3)), {
    policy: { ...koda, ...patch },
    reason: 'threshold',
    model: { contextWindow: window },
  })
}

/** The names that the files of a source folder import from outside of the pure folders. */
function importsOf(folder: string): string[] {
  const root = sourceFolder(folder)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const file = new URL(name, root)
    // An example in a comment imports nothing.
    const code = readFileSync(file, 'utf8').replace(/^ *\*.*$/gm, '')
    return [...code.matchAll(/(?:from|import\(?) '([^']+)'/g)]
      .map(([, from = '']) => (from.startsWith('.') ? new URL(from, file).href : from))
      .filter((from) => !['model', 'tokens', 'engine'].some((pure) => from.startsWith(sourceFolder(pure).href)))
  })
}

function sourceFolder(name: string): URL {
  return new URL(`../../src/${name}/`, import.meta.url)
}

/** Ten messages of that many tokens in all. */
function holding(tokens: number): Message[] {
  const each = Math.floor(tokens / 10)
  return [...talk(marks(9), each), assistant(words('last', tokens - 9 * each))]
}
