import { describe, expect, it } from 'vitest'
import {
  appended,
  compact,
  type PolicyPatch,
  parsePolicyConfig,
  parsePolicyPatch,
  policyOf,
  requestOf,
} from '../../src/engine.ts'
import {
  assistant,
  calls,
  compacted,
  contentOf,
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

const agent = { preset: 'agent' } as const
const NOT_ENOUGH = 'Not enough messages to compact'

describe('when it runs', () => {
  const limit = configured({ model_auto_compact_token_limit: 1_000 })

  it.each([
    [999, false],
    [1_000, true],
  ])('A2: with a token limit of 1,000 by itself at %i: %s', async (tokens, runs) => {
    expect((await automatic(tokens, limit)).compacted).toBe(runs)
  })

  it('A2: the token limit works without a known window', async () => {
    const got = await automatic(1_000, limit, undefined)
    expect(got.compacted).toBe(true)
  })

  it('A2: with a token limit the percentage is not used', async () => {
    // 900 of 1,000 is 90 %, above 80, and below the limit.
    expect((await automatic(900, limit, 1_000)).compacted).toBe(false)
    // 1,000 of 1,000,000 is 0.1 %, and the limit.
    expect((await automatic(1_000, limit, 1_000_000)).compacted).toBe(true)
  })

  it.each([
    [7_999, false],
    [8_000, true],
  ])('A2: without a token limit by itself at %i of 10,000: %s', async (tokens, runs) => {
    expect((await automatic(tokens, agent, 10_000)).compacted).toBe(runs)
  })

  it.each([
    [4_999, false],
    [5_000, true],
  ])('A2: with a percentage of 50 by itself at %i of 10,000: %s', async (tokens, runs) => {
    expect((await automatic(tokens, { ...agent, triggerPercent: 50 }, 10_000)).compacted).toBe(runs)
  })

  it('A2: a message that comes in counts before it is processed, and is not summarised itself', async () => {
    const options = { policy: limit, reason: 'threshold' } as const
    const history = talk(marks(10), 90)
    expect((await compacted(history, modelOf('summary'), options)).compacted).toBe(false)
    // 900 in the view and 100 coming in
    const model = modelOf('summary')
    const got = await compacted(history, model, { ...options, pending: [user(words('INCOMING', 100))] })
    expect(got).toMatchObject({ compacted: true, tokensBefore: 1_000 })
    expect(saidIn(model.requests[0])).not.toContain('INCOMING')
    expect(got.messages.some((message) => contentOf(message).includes('INCOMING'))).toBe(false)
  })

  it('A2: a large message that comes in leaves the summariser room to answer', async () => {
    // 3,000 of 10,000 in the view, 6,000 coming in: the summary still needs an answer of more than no tokens.
    const model = modelOf('summary')
    await compacted(talk(marks(10), 300), model, {
      policy: agent,
      reason: 'threshold',
      model: { contextWindow: 10_000 },
      pending: [user(words('pasted', 6_000))],
    })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]).toMatchObject({ maxOutputTokens: undefined })
  })
})

describe('an incoming message that is stored already', () => {
  const stored = (count: number) => [
    ...talk(marks(12), 100),
    ...Array.from({ length: count }, (_, i) => user(`incoming ${i}`)),
  ]

  it.each([1, 2])('A2: is not among the N that stay: with %i of them, 5 older ones stay beside', async (count) => {
    const options = { policy: { ...agent, tokenLimit: 1_000 }, reason: 'threshold' } as const
    const got = await compacted(stored(count), modelOf('summary'), options)
    expect(got.messages.slice(1)).toEqual(stored(count).slice(-5 - count))
    // 5 + 1 older messages and the incoming one are not enough.
    const few = talk(marks(6), 300)
    const skipped = await compacted([...few, user('incoming')], modelOf(), options)
    expect(skipped).toMatchObject({ compacted: false, reason: NOT_ENOUGH })
  })

  it('A4: is one of the N when a user compacts', async () => {
    const got = await compacted(stored(1), modelOf('summary'), { policy: agent })
    expect(got.messages.slice(1)).toEqual(stored(1).slice(-5))
  })
})

describe('what stays', () => {
  it('A4: the last 5 messages stay by default, one message replaces the rest', async () => {
    const history = talk(marks(12))
    const model = modelOf('the summary')
    const got = await compacted(history, model, { policy: agent })
    expect(got.messages).toHaveLength(6)
    expect(contentOf(got.messages[0])).toContain('the summary')
    expect(got.messages.slice(1)).toEqual(history.slice(7))
    expect(inOrder(saidIn(model.requests[0]), marks(7))).toBe(true)
    for (const mark of marks(12).slice(7)) expect(saidIn(model.requests[0])).not.toContain(mark)
  })

  it.each([1, 2, 8])('A4: with preserve_count %i that many stay', async (count) => {
    const history = talk(marks(12))
    const got = await compacted(history, modelOf('the summary'), { policy: configured({ preserve_count: count }) })
    expect(got.messages).toHaveLength(count + 1)
    expect(got.messages.slice(1)).toEqual(history.slice(12 - count))
  })

  it.each(['manual', 'overflow'] as const)(
    'A4: with preserve_count 0 nothing but the summary stays (%s)',
    async (reason) => {
      const model = modelOf('the summary')
      const got = await compacted(talk(marks(12)), model, { policy: configured({ preserve_count: 0 }), reason })
      expect(got.messages).toHaveLength(1)
      expect(contentOf(got.messages[0])).toContain('the summary')
      expect(got.messagesRemoved).toBe(12)
      expect(inOrder(saidIn(model.requests[0]), marks(12))).toBe(true)
    },
  )

  it('A4: a call is never separated from its result', async () => {
    const history = [
      ...talk(marks(6)),
      calls(['c1', 'read', { path: 'a.ts' }], ['c2', 'read', { path: 'b.ts' }]),
      result('c1', 'one'),
      result('c2', 'two'),
      ...talk(['a.', 'b.', 'c.', 'd.']),
    ]
    const got = await compacted(history, modelOf('the summary'), { policy: agent })
    // The last 5 would start with the second result: 4 of talk, 2 results and their calls stay.
    expect(got.messages.slice(1)).toEqual(history.slice(-7))
  })

  it('A5: the prompt asks to preserve file paths, decisions, important code, errors with their solutions', async () => {
    const asked = await promptSent(agent)
    expect(asked).toMatch(/file paths/i)
    expect(asked).toMatch(/decisions/i)
    expect(asked).toMatch(/important code/i)
    expect(asked).toMatch(/errors with their solutions|errors and (their )?solutions/i)
  })

  it('A16: the prompt asks for the five sections in their order', async () => {
    const sections = [
      '## Key Decisions',
      '## File Context',
      '## Code Changes',
      '## Errors and Solutions',
      '## Current State',
    ]
    expect(inOrder(await promptSent(agent), sections)).toBe(true)
  })
})

describe('the prompt', () => {
  it('A7: {messages} in a replaced prompt is where the conversation goes', async () => {
    const asked = await promptSent(configured({ compact_prompt: 'BEFORE {messages} BEHIND' }))
    expect(asked.startsWith('BEFORE ')).toBe(true)
    expect(asked.endsWith(' BEHIND')).toBe(true)
    expect(inOrder(asked, marks(7))).toBe(true)
    expect(asked).not.toContain('{messages}')
    expect(asked).not.toContain('## Key Decisions')
  })

  it('A7: without {messages} the conversation is sent with the prompt anyway', async () => {
    const asked = await promptSent(configured({ compact_prompt: 'Write a haiku about it.' }))
    expect(asked).toContain('Write a haiku about it.')
    expect(inOrder(asked, marks(7))).toBe(true)
    expect(asked).not.toContain('## Key Decisions')
  })

  it.each(['$&', '$1', '$$', "$'", '$`', '{messages}', '\\n'])(
    'A7: %s in the conversation is not interpreted',
    async (special) => {
      const model = modelOf('summary')
      const history = [user(`price: <<${special}>>`), assistant(`echo: <<${special}>>`), ...talk(marks(5))]
      await compacted(history, model, { policy: configured({ compact_prompt: 'BEFORE {messages} BEHIND' }) })
      const asked = contentOf(model.requests[0]?.messages[0])
      expect(asked).toContain(`price: <<${special}>>`)
      expect(asked).toContain(`echo: <<${special}>>`)
      expect(asked.split('BEFORE')).toHaveLength(2)
      expect(asked.split('BEHIND')).toHaveLength(2)
    },
  )

  it('A7: $& in the replaced prompt and in the summary stays as it is', async () => {
    const model = modelOf('a summary with $& in it')
    const got = await compacted(talk(marks(12)), model, { policy: configured({ compact_prompt: '$& {messages} $1' }) })
    expect(contentOf(model.requests[0]?.messages[0])).toMatch(/^\$& [\s\S]* \$1$/)
    expect(contentOf(got.messages[0])).toContain('a summary with $& in it')
  })

  it('A7: a replaced prompt holds for every chunk of a history larger than the window', async () => {
    // 20 messages of 500 tokens are 10,000, the window has 4,000; the last 5 stay.
    const model = namedModel({ name: 'acme/small', window: 4_000 }, ...marks(20))
    await compacted(talk(marks(20), 500), model, { policy: configured({ compact_prompt: 'BEFORE {messages} BEHIND' }) })
    const chunks = model.requests.slice(0, -1).map((request) => contentOf(request.messages[0]))
    expect(chunks.length).toBeGreaterThan(1)
    for (const asked of chunks) expect(asked).toMatch(/^BEFORE [\s\S]* BEHIND$/)
  })
})

describe('the configuration', () => {
  it('A10: the three keys of the configuration file are settings of the policy', () => {
    const config = { model_auto_compact_token_limit: 9_000, compact_prompt: 'Sum up {messages}', preserve_count: 3 }
    expect(policyOf(configured(config))).toMatchObject({
      tokenLimit: 9_000,
      prompt: 'Sum up {messages}',
      keepMessages: 3,
    })
  })

  it('A10: the other settings are the names of TypeScript in snake_case', () => {
    expect(parsePolicyConfig({ trigger_percent: 70, keep_tokens: 5_000 })).toEqual({
      triggerPercent: 70,
      keepTokens: 5_000,
    })
  })

  it.each([
    ['preserve_cuont', 'preserve_count'],
    ['model_auto_compact_limit', 'model_auto_compact_token_limit'],
    ['compact_promt', 'compact_prompt'],
    ['triggerPercent', 'trigger_percent'],
  ])('A10: the unknown key %s is refused with the nearest known one, %s', (key, nearest) => {
    expect(() => parsePolicyConfig({ [key]: 5 })).toThrow(`\`${key}\``)
    expect(() => parsePolicyConfig({ [key]: 5 })).toThrow(`\`${nearest}\``)
  })

  it('A10: in TypeScript the names are camelCase, and an unknown one is refused likewise', () => {
    expect(parsePolicyPatch({ keepMessages: 3 })).toEqual({ keepMessages: 3 })
    expect(() => parsePolicyPatch({ keepMesages: 3 })).toThrow('`keepMessages`')
    expect(() => parsePolicyPatch({ preserve_count: 3 })).toThrow('`preserve_count`')
  })

  it.each([
    ['preserve_count', -1],
    ['preserve_count', 1.5],
    ['preserve_count', '5'],
    ['model_auto_compact_token_limit', 0],
    ['compact_prompt', 5],
  ])('A10: %s: %j is refused by the name that the user wrote', (key, value) => {
    expect(() => parsePolicyConfig({ [key]: value })).toThrow(key)
  })

  it('A10: preserve_count: 0 is allowed', () => {
    expect(policyOf(configured({ preserve_count: 0 })).keepMessages).toBe(0)
  })
})

describe('the result', () => {
  it('A11: a compaction reports what it did', async () => {
    const history = talk(marks(12), 100)
    const got = await compacted(history, modelOf('the summary'), { policy: agent })
    // 12 × 100 before; the message of the summary and 5 × 100 after.
    const summaryTokens = Math.floor(contentOf(got.messages[0]).length / 4)
    expect(got).toMatchObject({
      compacted: true,
      reason: 'manual',
      tokensBefore: 1_200,
      tokensAfter: 500 + summaryTokens,
      messagesRemoved: 7,
      summary: 'the summary',
    })
    expect(got.messages).toHaveLength(6)
  })

  it('A11: the same fields say that nothing was done, without a summary', async () => {
    const history = talk(marks(3), 100)
    const got = await compacted(history, modelOf('the summary'), { policy: agent })
    expect(got).toMatchObject({
      compacted: false,
      reason: NOT_ENOUGH,
      messages: history,
      tokensBefore: 300,
      tokensAfter: 300,
      messagesRemoved: 0,
    })
    expect(got).not.toHaveProperty('summary')
  })

  it('A11: a failure gives its reason and the messages as they were', async () => {
    const history = talk(marks(12), 100)
    const got = await compacted(history, modelOf(new Error('no network')), { policy: agent })
    expect(got).toMatchObject({ compacted: false, reason: 'no network', messages: history, tokensAfter: 1_200 })
  })

  it.each([
    [5, 1],
    [5, 5],
    [5, 6],
    [0, 1],
    [2, 3],
  ])('A12: with N = %i a history of %i messages is not enough', async (preserve_count, count) => {
    const model = modelOf('the summary')
    const history = talk(marks(count))
    const got = await compacted(history, model, { policy: configured({ preserve_count }) })
    expect(got).toMatchObject({ compacted: false, reason: NOT_ENOUGH, messages: history })
    expect(model.requests).toEqual([])
  })

  it.each([
    [5, 7],
    [0, 2],
    [2, 4],
  ])('A12: with N = %i a history of %i messages is enough', async (preserve_count, count) => {
    const got = await compacted(talk(marks(count)), modelOf('the summary'), { policy: configured({ preserve_count }) })
    expect(got.compacted).toBe(true)
    expect(got.messages).toHaveLength(preserve_count + 1)
  })

  it('A12: also by itself, over the limit, N + 1 messages are not enough', async () => {
    const policy = configured({ model_auto_compact_token_limit: 100 })
    const got = await compacted(talk(marks(6), 1_000), modelOf('the summary'), { policy, reason: 'threshold' })
    expect(got).toMatchObject({ compacted: false, reason: NOT_ENOUGH })
  })

  it('A12: an empty history is not enough', async () => {
    const got = await compacted([], modelOf('the summary'), { policy: agent })
    expect(got).toMatchObject({ compacted: false, reason: NOT_ENOUGH })
  })

  it('A12: N + 1 messages are not enough also when the last one is a pending call', async () => {
    const history = [...talk(marks(5)), calls(['c1', 'read', { path: 'a.ts' }])]
    const got = await compacted(history, modelOf('the summary'), { policy: agent })
    expect(got).toMatchObject({ compacted: false, reason: NOT_ENOUGH })
  })

  it('A13: the summary message has the role system, its two marks, and the number of messages', async () => {
    const got = await compacted(talk(marks(12)), modelOf('line one\nline two'), { policy: agent })
    expect(got.messages[0]?.role).toBe('system')
    expect(contentOf(got.messages[0])).toBe(
      '[Conversation Summary]\nline one\nline two\n\n[End Summary - 7 messages compacted]',
    )
  })

  it('A13: a later compaction leaves one summary message', async () => {
    const model = modelOf('the first', 'the second')
    const first = await compacted(talk(marks(12)), model, { policy: agent })
    const log = appended(
      [],
      talk(marks(12)).map((message) => ({ type: 'message', message })),
    )
    const later = appended(
      [...log, ...first.entries],
      talk(['a.', 'b.', 'c.']).map((message) => ({ type: 'message', message })),
    )
    const second = await compact({ log: later, policy: agent, summaryModels: [model] })
    expect(saidIn(model.requests[1])).toContain('the first')
    expect(second.messages.filter(({ role }) => role === 'system')).toHaveLength(1)
    expect(contentOf(second.messages[0]).split('\n')[1]).toBe('the second')
  })

  it('A13: at send time the summary is an instruction block, and the conversation starts with the user', async () => {
    // The tail of 5 starts with the assistant's m8.
    const got = await compacted(talk(marks(12)), modelOf('the summary'), { policy: agent })
    const request = requestOf(got.view)
    expect(request.system).toHaveLength(1)
    expect(request.system[0]).toContain('the summary')
    expect(request.messages.some(({ role }) => role === 'system')).toBe(false)
    expect(request.messages[0]?.role).toBe('user')
    expect(request.messages.slice(1)).toEqual(talk(marks(12)).slice(7))
  })
})

/** The preset with settings as the configuration file has them. */
function configured(config: Record<string, unknown>): PolicyPatch {
  return { ...agent, ...parsePolicyConfig(config) }
}

/** An automatic compaction of ten messages with this many tokens in all. */
function automatic(tokens: number, policy: PolicyPatch, contextWindow?: number) {
  const each = Math.floor(tokens / 10)
  const history = [...talk(marks(9), each), assistant(words('last', tokens - 9 * each))]
  return compacted(history, modelOf('summary'), { policy, reason: 'threshold', model: { contextWindow } })
}

/** The prompt to the summariser for twelve messages, of which five stay. */
async function promptSent(policy: PolicyPatch): Promise<string> {
  const model = modelOf('summary')
  await compacted(talk(marks(12)), model, { policy })
  return contentOf(model.requests[0]?.messages[0])
}
