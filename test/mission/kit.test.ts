import { describe, expect, it } from 'vitest'
import {
  appended,
  charactersByFour,
  compact,
  compactMessages,
  type Entry,
  exceedsReserve,
  logOf,
  type Message,
  messageTokens,
  type PolicyPatch,
  parsePolicyConfig,
  policyOf,
  requestOf,
  serialize,
  serializeAll,
  statusOf,
} from '../../src/engine.ts'
import { summarised } from '../support/summarised.ts'
import {
  assistant,
  calls,
  compacted,
  contentOf,
  hangingModel,
  inOrder,
  marks,
  messagesAfter,
  modelOf,
  namedModel,
  result,
  saidIn,
  talk,
  user,
  words,
} from './support.ts'

const kit = { preset: 'kit' } as const
/** Over window − reserve = 20,000 − 16,384 it runs by itself. */
const automatic = { reason: 'threshold', model: { contextWindow: 20_000 } } as const
const readCall = calls(['c1', 'read', { path: 'src/a.ts' }])
const CURRENT_TURN = '## Current Turn (in progress)'

describe('the estimate', () => {
  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [7, 1],
    [8, 2],
  ])('T1: %i characters are %i tokens', (characters, tokens) => {
    expect(messageTokens(user('x'.repeat(characters)), charactersByFour)).toBe(tokens)
  })

  it('T1: it is rounded down part by part, then summed', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(7) },
        { type: 'text', text: 'x'.repeat(7) },
        { type: 'text', text: 'x'.repeat(3) },
      ],
    }
    // ⌊7 ÷ 4⌋ + ⌊7 ÷ 4⌋ + ⌊3 ÷ 4⌋ = 1 + 1 + 0, while 17 ÷ 4 would be 4
    expect(messageTokens(message, charactersByFour)).toBe(2)
  })

  it('T1: reasoning counts', () => {
    const content = [
      { type: 'reasoning', text: 'x'.repeat(41) },
      { type: 'text', text: 'x'.repeat(8) },
    ] as const
    expect(messageTokens({ role: 'assistant', content: [...content] }, charactersByFour)).toBe(10 + 2)
  })

  it('T1: the arguments of a call count', () => {
    const [short, long] = ['', 'x'.repeat(40)].map((text) => calls(['c1', 'write', { text }])) as [Message, Message]
    const tokens = (message: Message) => messageTokens(message, charactersByFour)
    expect(tokens(long) - tokens(short)).toBe(10)
    // {"text":"…"} has 51 characters of arguments alone.
    expect(tokens(long)).toBeGreaterThanOrEqual(Math.floor(51 / 4))
  })

  it('T1: tool results count', () => {
    expect(messageTokens(result('c1', 'x'.repeat(43)), charactersByFour)).toBe(10)
    const json: Message = {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'ls', output: { type: 'json', value: { a: 'xxxx' } } },
      ],
    }
    // {"a":"xxxx"} has 12 characters.
    expect(messageTokens(json, charactersByFour)).toBe(3)
  })
})

describe('when it runs', () => {
  it.each([
    [83_616, 100_000, 16_384, false],
    [83_617, 100_000, 16_384, true],
    [1_000_000, 0, 16_384, false],
    [1_000_000, -1, 16_384, false],
    [1_000_000, 100_000, 0, false],
    [1_000_000, 100_000, -1, false],
  ])('T2: %i tokens, window %i, reserve %i: %s', (tokens, window, reserve, automatic) => {
    expect(exceedsReserve(tokens, window, reserve)).toBe(automatic)
  })

  // window − reserve = 20,000 − 16,384 = 3,616 = 8 × 452
  it('T2: exactly window − reserve is not yet automatic', async () => {
    const model = modelOf('summary')
    const got = await compacted(talk(marks(8), 452), model, { ...automatic, policy: { ...kit, keepTokens: 1_000 } })
    expect(got).toMatchObject({ compacted: false, tokensBefore: 3_616 })
    expect(model.requests).toEqual([])
  })

  it('T2: one token more is automatic', async () => {
    const history = [...talk(marks(7), 452), assistant(words('last', 453))]
    const got = await compacted(history, modelOf('summary', 'turn'), {
      ...automatic,
      policy: { ...kit, keepTokens: 1_000 },
    })
    expect(got).toMatchObject({ compacted: true, tokensBefore: 3_617 })
  })

  it('T2: it is never automatic when the window is not known', async () => {
    const model = modelOf('summary', 'turn')
    const got = await compacted(talk(marks(8), 100_000), model, { policy: kit, reason: 'threshold' })
    expect(got.compacted).toBe(false)
    expect(model.requests).toEqual([])
  })

  it('T2: it is automatic again as soon as the tokens exceed window − reserve again', async () => {
    // 8 × 500 = 4,000 > 3,616. Of 3,000 to keep the last 6 use all: cut 2. One more of 700 is 3,700 and the summary.
    const model = modelOf('summary', 'turn', 'summary', 'turn')
    const input = { ...automatic, policy: { ...kit, keepTokens: 3_000 }, summaryModels: [model] }
    const log = logOf(talk(marks(8), 500))
    const first = await compact({ ...input, log })
    expect(first).toMatchObject({ compacted: true, cut: 2 })
    const later = appended([...log, ...first.entries], [{ type: 'message', message: user(words('more', 700)) }])
    const second = await compact({ ...input, log: later })
    expect(second.tokensBefore).toBeGreaterThan(3_616)
    expect(second.outcome).toBe('compacted')
  })

  it('T3: the defaults are a reserve of 16,384 and 20,000 to keep', () => {
    expect(policyOf(kit)).toMatchObject({ reserveTokens: 16_384, keepTokens: 20_000 })
  })

  it.each([0, -1, -20_000])('T3: %i means the default', (tokens) => {
    const policy = { ...kit, ...parsePolicyConfig({ reserve_tokens: tokens, keep_tokens: tokens }) }
    expect(policyOf(policy)).toMatchObject({ reserveTokens: 16_384, keepTokens: 20_000 })
  })

  it('T3: other numbers are taken as they are', () => {
    expect(policyOf({ ...kit, reserveTokens: 1, keepTokens: 2 })).toMatchObject({ reserveTokens: 1, keepTokens: 2 })
  })

  it('T3: in another preset 0 is 0', () => {
    expect(policyOf({ preset: 'agent', reserveTokens: 0, keepTokens: 0 })).toMatchObject({
      reserveTokens: 0,
      keepTokens: 0,
    })
  })

  it('T3: by default 20,000 tokens are kept', async () => {
    // 10 messages of 4,000 tokens: 5 are 20,000, the sixth exceeds it.
    const got = await compacted(talk(marks(10), 4_000), modelOf('summary', 'turn'), { policy: kit })
    expect(summarised(got).cut).toBe(5)
  })
})

describe('the prompt', () => {
  it('T4: it asks for the sections in their order', async () => {
    const sections = [
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '### Done',
      '### In Progress',
      '### Blocked',
      '## Key Decisions',
      '## Next Steps',
      '## Critical Context',
    ]
    expect(inOrder(await promptSent(kit), sections)).toBe(true)
  })

  it('T4: it asks to keep exact paths, names and error messages', async () => {
    const asked = await promptSent(kit)
    expect(asked).toMatch(/exact[^.]*paths/i)
    expect(asked).toMatch(/exact[^.]*names/i)
    expect(asked).toMatch(/exact[^.]*error messages/i)
  })

  it('T4: it says not to continue the conversation and not to answer questions in it', async () => {
    const asked = await promptSent(kit)
    expect(asked).toMatch(/not continue the conversation/i)
    expect(asked).toMatch(/not answer (any )?questions/i)
  })

  it('T4: the read and then the modified files follow the summary', async () => {
    const got = await compacted(history(), modelOf('the summary'), { policy: kit })
    expect(inOrder(contentOf(got.messages[0]), ['the summary', 'read', 'src/a.ts', 'modified', 'src/b.ts'])).toBe(true)
  })

  it('T14: the summary prompt can be replaced', async () => {
    const asked = await promptSent({ ...kit, prompt: 'Write a haiku about it.' })
    expect(asked).toContain('Write a haiku about it.')
    expect(inOrder(asked, marks(2))).toBe(true)
    expect(asked).not.toContain('## Critical Context')
  })

  it('T14: a replaced prompt goes to both halves of a split turn', async () => {
    const model = modelOf('before', 'turn')
    const prompt = 'Write a haiku about it.'
    const turn = worked([
      ['read', 'src/a.ts'],
      ['read', 'src/b.ts'],
    ])
    await compacted([...talk(marks(4)), ...turn], model, { policy: { ...kit, prompt }, focus: 'name every port' })
    expect(model.requests).toHaveLength(2)
    for (const request of model.requests) {
      expect(saidIn(request)).toContain(prompt)
      expect(saidIn(request).endsWith('Additional instructions: name every port')).toBe(true)
    }
    expect(saidIn(model.requests[1])).not.toContain('too long to be kept')
  })

  it('T14: a replaced prompt and custom instructions go to every chunk, and to the merge of their summaries', async () => {
    // 20 messages of 500 tokens are 10,000, the window has 4,000.
    const model = namedModel({ name: 'acme/small', window: 4_000 }, ...marks(20))
    const policy = { ...kit, keepTokens: 100, prompt: 'Write a haiku about it.' }
    await compacted(talk(marks(20), 500), model, { policy, focus: 'name every port' })
    expect(model.requests.length).toBeGreaterThan(3)
    for (const request of model.requests) {
      expect(saidIn(request)).toContain(policy.prompt)
      expect(saidIn(request).endsWith('Additional instructions: name every port')).toBe(true)
    }
  })

  it.each([
    ['the prompt', undefined],
    ['a replaced prompt', 'Write a haiku about it.'],
    ['a replaced prompt with a place for the conversation', 'Read {messages} and write a haiku.'],
  ])('T14: custom instructions are appended to %s', async (_, prompt) => {
    const asked = await promptSent({ ...kit, prompt }, 'name every port')
    expect(asked.endsWith('Additional instructions: name every port')).toBe(true)
  })

  it('T14: without custom instructions the prompt mentions none', async () => {
    expect(await promptSent(kit)).not.toContain('Additional instructions')
  })
})

describe('what the summariser reads', () => {
  const policy = policyOf(kit)

  it.each([2_000, 100])('T5: %i characters are not cut', (length) => {
    expect(serialize(result('c1', 'x'.repeat(length)), policy)).toBe(`[Tool result]: ${'x'.repeat(length)}`)
  })

  it.each([
    [2_001, 1],
    [2_500, 500],
    [102_000, 100_000],
  ])('T5: of a tool result of %i characters %i are cut off', (length, missing) => {
    expectCut('[Tool result]: ', serialize(result('c1', 'x'.repeat(length)), policy), missing)
  })

  it('T5: arguments are cut', () => {
    // {"content":""} has 14 characters: 2,500 in all, the first 12 of them before the text.
    const text = serialize(calls(['c1', 'write', { content: 'x'.repeat(2_486) }]), policy)
    expect(text).toBe(`[Tool call: write({"content":"${'x'.repeat(1_988)}\n[...500 chars truncated]\n)]`)
  })

  it('T5: reasoning is cut', () => {
    const message: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'x'.repeat(2_500) }] }
    expectCut('[Thinking]: ', serialize(message, policy), 500)
  })

  it('T5: what was said is not cut', () => {
    expect(serialize(user('x'.repeat(5_000)), policy)).toBe(`[User]: ${'x'.repeat(5_000)}`)
    expect(serialize(assistant('x'.repeat(5_000)), policy)).toBe(`[Assistant]: ${'x'.repeat(5_000)}`)
  })

  it('T5: tool results do reach the summariser, cut', async () => {
    const model = modelOf('the summary')
    const long = [
      user('read it'),
      calls(['c1', 'read', { path: 'src/a.ts' }]),
      result('c1', `TOP OF FILE ${'x'.repeat(4_988)}`),
      user('thanks'),
    ]
    await compacted(long, model, { policy: kit })
    expect(saidIn(model.requests[0])).toContain('TOP OF FILE')
    // 12 + 4,988 = 5,000 characters
    expect(saidIn(model.requests[0])).toContain('x\n[...3000 chars truncated]\n')
  })

  it('T10: each role has its label', () => {
    const messages: Message[] = [
      { role: 'system', content: 'be kind' },
      user('hello'),
      assistant('hi'),
      result('c1', 'text of a.ts'),
    ]
    expect(messages.map((message) => serialize(message, policy))).toEqual([
      '[System]: be kind',
      '[User]: hello',
      '[Assistant]: hi',
      '[Tool result]: text of a.ts',
    ])
  })

  it('T10: calls are written with their arguments, reasoning as thinking', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'I should look' },
        { type: 'text', text: 'let me look' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'ls', input: {} },
      ],
    }
    const lines = serialize(message, policy)
      .split('\n')
      .filter((line) => line !== '')
    expect(lines).toEqual([
      '[Thinking]: I should look',
      '[Assistant]: let me look',
      '[Tool call: read({"path":"a.ts"})]',
      '[Tool call: ls({})]',
    ])
  })

  it('T10: this is what is sent', async () => {
    const model = modelOf('the summary')
    await compacted(history(), model, { policy: kit })
    expect(saidIn(model.requests[0])).toContain(serializeAll(history().slice(0, 5), policy))
  })
})

describe('the cut', () => {
  it('T6: the message that exceeds the keep budget falls before the cut', async () => {
    // From the end 40, 80, 120 > 100: the third last exceeds it, two are kept.
    expect(await cutOf(talk(marks(6), 40), 100)).toBe(4)
  })

  it('T6: exactly the keep budget does not exceed it', async () => {
    // From the end 50, 100, 150 > 100: two are kept. Then 51, 102 > 100: one is.
    expect(await cutOf(talk(marks(6), 50), 100)).toBe(4)
    expect(await cutOf(talk(marks(6), 51), 100)).toBe(5)
  })

  it('T6: a last message that alone exceeds the keep budget is still kept', async () => {
    const messages = [...talk(marks(5), 10), assistant(words('huge', 500))]
    expect(await cutOf(messages, 100)).toBe(5)
  })

  it('T6: everything fitting means no cut', async () => {
    expect(await cutOf(talk(marks(10), 10), 100)).toBe('no cut')
    // one token more and the first message exceeds it, but it would be alone before the cut
    expect(await cutOf(talk(marks(10), 10), 99)).toBe('no cut')
    expect(await cutOf(talk(marks(10), 10), 89)).toBe(2)
  })

  it('T6: a tail that would start with a tool result moves the cut forward', async () => {
    const messages = [...talk(marks(4), 50), readCall, result('c1', words('text', 20)), ...talk(['a.', 'b.'], 40)]
    // From the end 40, 80, 100 = 100; the call exceeds it: the tail would start with its result, index 5.
    expect(await cutOf(messages, 100)).toBe(6)
  })

  it('T6: it moves past all results of parallel calls', async () => {
    const messages = [
      ...talk(marks(4), 50),
      calls(['c1', 'read', { path: 'src/a.ts' }], ['c2', 'read', { path: 'src/b.ts' }]),
      result('c1', words('one', 60)),
      result('c2', words('two', 20)),
      ...talk(['a.', 'b.'], 30),
    ]
    // From the end 30, 60, 80, 140 > 100: the tail would start with the second result, index 6.
    expect(await cutOf(messages, 100)).toBe(7)
    // With 140 it would start with the first result.
    expect(await cutOf(messages, 140)).toBe(7)
  })

  it('T6: a tail that starts with the call keeps it with its results', async () => {
    const messages = [...talk(marks(4), 100), readCall, result('c1', words('text', 20)), ...talk(['a.', 'b.'], 10)]
    // From the end 10, 20, 40, then the call of a few tokens, then 100 more: the cut is before the call.
    expect(await cutOf(messages, 100)).toBe(4)
  })

  it('T6: off the end there is no cut', async () => {
    const messages = [...talk(marks(4), 50), readCall, result('c1', words('huge', 500))]
    expect(await cutOf(messages, 100)).toBe('no cut')
  })

  it('T6: fewer than two messages before the cut means no cut', async () => {
    // From the end 60, 120 > 100: one message is kept.
    expect(await cutOf(talk(marks(2), 60), 100)).toBe('no cut')
    expect(await cutOf(talk(marks(3), 60), 100)).toBe(2)
  })

  it.each(['overflow', 'threshold', 'manual'] as const)(
    'T6: unanswered messages of the user are cut like others (%s)',
    async (reason) => {
      // From the end 1,000, 2,000, 3,000 > 2,500: two are kept.
      const messages = marks(6).map((mark) => user(words(mark, 1_000)))
      const model = modelOf('summary')
      const got = await compacted(messages, model, { ...automatic, policy: { ...kit, keepTokens: 2_500 }, reason })
      expect(got).toMatchObject({ compacted: true, cut: 4 })
      expect(got.messages.slice(1)).toEqual(messages.slice(4))
      expect(inOrder(saidIn(model.requests[0]), marks(4))).toBe(true)
    },
  )

  it.each([0.5, 3])(
    'T1, T6: the cut counts characters, also if the provider reports %f times as many tokens',
    async (factor) => {
      const messages = talk(marks(20), 100)
      const log = counted(logOf(messages), factor)
      const policy = { ...kit, keepTokens: 550 }
      const got = await compact({ log, policy, reason: 'overflow', summaryModels: [modelOf('s', 't')] })
      // The scale is at work: without it the one number would be the same.
      expect(statusOf(log, { policy }).tokens).not.toBe(statusOf(logOf(messages), { policy }).tokens)
      expect(summarised(got).cut).toBe(15)
      expect(await cutOf(messages, 550)).toBe(15)
    },
  )

  it('T8: if everything fits, a manual one keeps only the last message', async () => {
    const messages = talk(marks(6), 10)
    const got = await compacted(messages, modelOf('summary', 'turn'), { policy: kit })
    expect(got).toMatchObject({ compacted: true, cut: 5 })
    expect(got.messages.slice(1)).toEqual(messages.slice(5))
  })

  it('T8: it keeps the call if the last message is its result', async () => {
    const messages = [...talk(marks(4), 10), readCall, result('c1', 'text of a.ts')]
    const got = await compacted(messages, modelOf('summary', 'turn'), { policy: kit })
    expect(got).toMatchObject({ compacted: true, cut: 4 })
    expect(got.messages.slice(1)).toEqual(messages.slice(4))
  })

  it('T8: it keeps parallel calls with all their results', async () => {
    const both = calls(['c1', 'read', { path: 'src/a.ts' }], ['c2', 'read', { path: 'src/b.ts' }])
    const messages = [...talk(marks(3), 10), both, result('c1', 'one'), result('c2', 'two')]
    expect(summarised(await compacted(messages, modelOf('summary', 'turn'), { policy: kit })).cut).toBe(3)
  })

  it('T8: it applies even if the walk ran off the end', async () => {
    const messages = [...talk(marks(4), 50), readCall, result('c1', words('huge', 500))]
    const got = await compacted(messages, modelOf('summary', 'turn'), { policy: { ...kit, keepTokens: 100 } })
    expect(summarised(got).cut).toBe(4)
  })

  it('T8: it applies even if the walk leaves fewer than two messages before the cut', async () => {
    // From the end 40, 80, 120 > 100: one message would be before the cut.
    const got = await compacted(talk(marks(3), 40), modelOf('summary'), { policy: { ...kit, keepTokens: 100 } })
    expect(got).toMatchObject({ compacted: true, cut: 2 })
  })

  it.each([
    ['two messages', talk(marks(2), 10)],
    ['a call with a result after it', [user('read it'), calls(['c1', 'read', { path: 'a.ts' }]), result('c1', 'text')]],
  ])('T8: %s have no such message and come back unchanged', async (_, messages) => {
    const model = modelOf('summary')
    const got = await compacted(messages, model, { policy: kit })
    expect(got.compacted).toBe(false)
    expect(got.messages).toEqual(messages)
    expect(model.requests).toEqual([])
  })

  it('T8: if T6 finds a cut, a manual one uses it', async () => {
    const got = await compacted(talk(marks(6), 40), modelOf('summary'), { policy: { ...kit, keepTokens: 100 } })
    expect(summarised(got).cut).toBe(4)
  })

  it('T8: an automatic one without a cut leaves the messages unchanged', async () => {
    const model = modelOf('summary')
    const got = await compacted(talk(marks(6), 10), model, { policy: kit, reason: 'overflow' })
    expect(got.compacted).toBe(false)
    expect(got.messages).toEqual(talk(marks(6), 10))
    expect(model.requests).toEqual([])
  })

  it('T8: a manual one right after another compaction keeps only the last message too', async () => {
    const model = modelOf('the first', 'the second', 'turn')
    const log = logOf(talk(marks(6), 40))
    const first = await compact({ log, policy: { ...kit, keepTokens: 100 }, summaryModels: [model] })
    expect(first.messages).toHaveLength(3)
    // In view: the summary, m5 and m6; everything fits, m6 has two messages before it.
    const again = await compact({
      log: [...log, ...first.entries],
      policy: { ...kit, keepTokens: 100 },
      summaryModels: [model],
    })
    expect(again).toMatchObject({ outcome: 'compacted', cut: 2 })
    expect(again.messages.slice(1)).toEqual(talk(marks(6), 40).slice(5))
  })

  it.each([0, 1])('T16: %i messages come back unchanged', async (count) => {
    const model = modelOf('summary')
    const messages = talk(marks(count), 50_000)
    for (const reason of ['manual', 'overflow', 'threshold'] as const) {
      const got = await compacted(messages, model, { policy: kit, reason, model: { contextWindow: 20_000 } })
      expect(got).toMatchObject({ compacted: false, messagesRemoved: 0 })
      expect(got.messages).toEqual(messages)
    }
    expect(model.requests).toEqual([])
  })
})

describe('a cut inside a turn', () => {
  // Turn one: m1, m2. Turn two: ASK, a call, its result, STEP | LAST. Only LAST is kept of 100 tokens.
  const split = [
    ...talk(marks(2), 20),
    user(words('ASK', 20)),
    readCall,
    result('c1', words('RESULT', 20)),
    assistant(words('STEP', 60)),
    assistant(words('LAST', 60)),
  ]
  const policy = { ...kit, keepTokens: 100 }

  it('T7: the turns before and the beginning of the turn are summarised apart', async () => {
    const model = modelOf('of the turns before', 'of this turn')
    const got = await compacted(split, model, { policy })
    expect(got).toMatchObject({ compacted: true, cut: 6 })
    expect(model.requests).toHaveLength(2)
    const [before, turn] = model.requests.map(saidIn)
    for (const mark of marks(2)) {
      expect(before).toContain(mark)
      expect(turn).not.toContain(mark)
    }
    for (const mark of ['ASK', 'src/a.ts', 'RESULT', 'STEP']) {
      expect(before).not.toContain(mark)
      expect(turn).toContain(mark)
    }
    expect(`${before}${turn}`).not.toContain('LAST')
  })

  it('T7: the two are joined by a line and a heading', async () => {
    const got = await compacted(split, modelOf('of the turns before', 'of this turn'), { policy })
    const lines = summarised(got)
      .summary.split('\n')
      .filter((line) => line !== '')
    expect(lines).toEqual(['of the turns before', '---', CURRENT_TURN, 'of this turn'])
    expect(contentOf(got.messages[0])).toContain(summarised(got).summary)
  })

  it('T7: the second prompt asks for the work so far in this turn, results of tools and changes to files', async () => {
    const model = modelOf('of the turns before', 'of this turn')
    await compacted(split, model, { policy })
    const asked = saidIn(model.requests[1])
    expect(asked).toMatch(/work so far/i)
    expect(asked).toMatch(/this turn/i)
    expect(asked).toMatch(/results of tools|tool results/i)
    expect(asked).toMatch(/changes to files|file changes/i)
    expect(asked).not.toContain('## Critical Context')
  })

  it('T7: custom instructions reach both', async () => {
    const model = modelOf('of the turns before', 'of this turn')
    await compacted(split, model, { policy, focus: 'name every port' })
    for (const request of model.requests) expect(saidIn(request)).toContain('Additional instructions: name every port')
    expect(model.requests).toHaveLength(2)
  })

  it('T7: a replaced prompt does not skip the turn', async () => {
    const model = modelOf('of the turns before', 'of this turn')
    const got = await compacted(split, model, { policy: { ...policy, prompt: 'Write a haiku about it.' } })
    expect(saidIn(model.requests[0])).toContain('Write a haiku about it.')
    expect(saidIn(model.requests[1])).toContain('ASK')
    expect(summarised(got).summary).toContain('of this turn')
  })

  it('T7: a turn that starts at the first message is summarised once', async () => {
    const model = modelOf('the only one')
    const got = await compacted(split.slice(2), model, { policy })
    expect(got).toMatchObject({ compacted: true, cut: 4, summary: 'the only one' })
    expect(model.requests).toHaveLength(1)
    for (const mark of ['ASK', 'RESULT', 'STEP']) expect(saidIn(model.requests[0]).split(mark)).toHaveLength(2)
  })

  it('T7: a cut between two turns needs one summary', async () => {
    const model = modelOf('the only one')
    // From the end 40, 80, 120 > 100: the tail starts with the user's m5.
    const got = await compacted(talk(marks(6), 40), model, { policy })
    expect(got).toMatchObject({ cut: 4, summary: 'the only one' })
  })

  it('T12: a callback receives the summary as it streams, the joining line included', async () => {
    const heard: string[] = []
    const model = modelOf(['of the ', 'turns before'], ['of ', 'this turn'])
    const got = await compacted(split, model, { policy, onText: (text) => heard.push(text) })
    expect(heard.join('')).toBe(summarised(got).summary)
    expect(heard.slice(0, 2)).toEqual(['of the ', 'turns before'])
    expect(heard.slice(-2)).toEqual(['of ', 'this turn'])
    expect(heard.slice(2, -2).join('')).toMatch(/^\n+---\n+## Current Turn \(in progress\)\n+$/)
  })

  it('T12: it is called before the summary is complete', async () => {
    const { model, started } = hangingModel()
    const heard: string[] = []
    const cancel = new AbortController()
    const running = compacted(split, model, { policy, signal: cancel.signal, onText: (text) => heard.push(text) })
    await started
    expect(heard).toEqual(['half of a summ'])
    cancel.abort()
    expect((await running).outcome).toBe('cancelled')
  })

  it.each([
    ['the first text', 'of the '],
    ['the joining line', '---'],
    ['the last text', 'this turn'],
  ])('T12: an error from it at %s cancels', async (_, at) => {
    const log = logOf(split)
    const [model, other] = [modelOf(['of the ', 'turns before'], ['of ', 'this turn']), modelOf('by another', 'turn')]
    const got = await compact({
      log,
      policy,
      summaryModels: [model, other],
      onText: (text) => {
        if (text.includes(at)) throw new Error('the pipe is closed')
      },
    })
    expect(got).toMatchObject({ outcome: 'cancelled', compacted: false, reason: 'the pipe is closed' })
    expect(messagesAfter(log, got)).toEqual(split)
    expect(other.requests).toEqual([])
  })

  it.each([
    ['the whole', talk(marks(6), 40), ['']],
    ['white space', talk(marks(6), 40), [' \n\t ']],
    ['the first of two', split, ['', 'of this turn']],
    ['the second of two', split, ['of the turns before', '  ']],
  ])('T13: an empty summary is an error: %s', async (_, messages, answers) => {
    const log = logOf(messages)
    const got = await compact({ log, policy, summaryModels: [modelOf(...answers)] })
    expect(got).toMatchObject({ outcome: 'failed', compacted: false })
    expect(got.reason).toMatch(/empty/i)
    expect(messagesAfter(log, got)).toEqual(messages)
  })

  it.each([
    ['earlier turns', [new Error('HTTP 500'), 'of this turn']],
    ['current turn', ['of the turns before', new Error('HTTP 500')]],
  ])('T7: if one of the two summaries fails, the reason names it: that of the %s', async (half, answers) => {
    const got = await compacted(split, modelOf(...answers), { policy })
    expect(got).toMatchObject({ outcome: 'failed', reason: `the summary of the ${half}: HTTP 500` })
  })
})

describe('the files', () => {
  it('T9: read, grep, find and ls read; write and edit modify; sorted and without duplicates', async () => {
    const messages = worked([
      ['read', 'src/z.ts'],
      ['grep', 'src/c.ts'],
      ['find', 'src/b'],
      ['ls', 'src/a'],
      ['read', 'src/z.ts'],
      ['write', 'src/y.ts'],
      ['edit', 'src/x.ts'],
      ['edit', 'src/y.ts'],
      ['bash', 'src/other.ts'],
    ])
    const got = await compacted(messages, modelOf('summary', 'turn'), { policy: kit })
    expect(got.readFiles).toEqual(['src/a', 'src/b', 'src/c.ts', 'src/z.ts'])
    expect(got.modifiedFiles).toEqual(['src/x.ts', 'src/y.ts'])
  })

  it('T9: a file that was read and edited is modified only, in whatever order and over compactions', async () => {
    const both = worked([
      ['read', 'src/first-read.ts'],
      ['edit', 'src/first-read.ts'],
      ['write', 'src/first-written.ts'],
      ['read', 'src/first-written.ts'],
      ['read', 'src/edited-later.ts'],
    ])
    const first = await compacted(both, modelOf('summary', 'turn'), { policy: kit })
    expect(first.readFiles).toEqual(['src/edited-later.ts'])
    expect(first.modifiedFiles).toEqual(['src/first-read.ts', 'src/first-written.ts'])
    const more = worked([
      ['edit', 'src/edited-later.ts'],
      ['read', 'src/first-read.ts'],
    ]).map(inRound('later'))
    const log = appended(
      [...logOf(both), ...first.entries],
      [...more, user('next')].map((message) => ({ type: 'message', message })),
    )
    const second = await compact({ log, policy: kit, summaryModels: [modelOf('summary', 'turn')] })
    expect(second.readFiles).toEqual([])
    expect(second.modifiedFiles).toEqual(['src/edited-later.ts', 'src/first-read.ts', 'src/first-written.ts'])
    const [, read = '', modified = ''] = contentOf(second.messages[0]).split(/^## (?:Read|Modified) Files$/m)
    expect(read.trim().split('\n')).toEqual(second.modifiedFiles.map((path) => `- ${path}`))
    expect(modified).toBe('')
  })

  it('T9: files of the span and of the tail are listed', async () => {
    // A manual one keeps the last call and its result: src/tail.ts is only in the tail.
    const messages = worked([
      ['read', 'src/span.ts'],
      ['edit', 'src/tail.ts'],
    ])
    const got = await compacted(messages, modelOf('summary', 'turn'), { policy: kit })
    expect(got.messages).toHaveLength(3)
    expect(got).toMatchObject({ readFiles: ['src/span.ts'], modifiedFiles: ['src/tail.ts'] })
    expect(contentOf(got.messages[0])).toContain('src/span.ts')
    expect(contentOf(got.messages[0])).toContain('src/tail.ts')
  })

  it('T9: they are cumulative over compactions', async () => {
    const model = modelOf('one', 'two', 'three', 'four', 'five', 'six')
    let log: readonly Entry[] = []
    const files: (readonly string[])[] = []
    for (const name of ['c', 'a', 'b']) {
      const said = worked([
        ['read', `src/read-${name}.ts`],
        ['write', `src/written-${name}.ts`],
      ]).map(inRound(name))
      log = appended(
        log,
        [...said, user('next')].map((message) => ({ type: 'message', message })),
      )
      const got = await compact({ log, policy: kit, summaryModels: [model] })
      log = [...log, ...got.entries]
      files.push(got.readFiles, got.modifiedFiles)
      for (const path of [...got.readFiles, ...got.modifiedFiles]) expect(contentOf(got.messages[0])).toContain(path)
    }
    expect(files).toEqual([
      ['src/read-c.ts'],
      ['src/written-c.ts'],
      ['src/read-a.ts', 'src/read-c.ts'],
      ['src/written-a.ts', 'src/written-c.ts'],
      ['src/read-a.ts', 'src/read-b.ts', 'src/read-c.ts'],
      ['src/written-a.ts', 'src/written-b.ts', 'src/written-c.ts'],
    ])
  })
})

describe('the result', () => {
  it('T11: it has summary, tokens, messages removed, cut and files', async () => {
    const messages = talk(marks(6), 40)
    const got = await compacted(messages, modelOf('the summary'), { policy: { ...kit, keepTokens: 100 } })
    // 6 × 40 before; the message of the summary and 2 × 40 after.
    expect(got).toMatchObject({
      summary: 'the summary',
      tokensBefore: 240,
      tokensAfter: 80 + Math.floor(contentOf(got.messages[0]).length / 4),
      messagesRemoved: 4,
      cut: 4,
      readFiles: [],
      modifiedFiles: [],
    })
    const files = { readFiles: ['src/a.ts'], modifiedFiles: ['src/b.ts'] }
    expect(await compacted(history(), modelOf('the summary'), { policy: kit })).toMatchObject(files)
  })

  it('T11: cut and messages removed count in the messages of the caller, dropped ones included', async () => {
    const given = talk(marks(6), 40)
    const messages = [user(''), ...given.slice(0, 2), assistant(''), assistant(''), ...given.slice(2)]
    const got = await compacted(messages, modelOf('the summary', 'turn'), { policy: { ...kit, keepTokens: 100 } })
    const { cut } = summarised(got)
    expect(got.messages.slice(1)).toEqual(messages.slice(cut))
    expect(got).toMatchObject({ cut: 7, messagesRemoved: 7 })
  })

  it.each([8_000, 32_000, 200_000])('T13: in a window of %i the answer has no limit of ours', async (contextWindow) => {
    const model = modelOf('the summary', 'turn')
    await compacted(talk(marks(6), 40), model, { policy: { ...kit, keepTokens: 100 }, model: { contextWindow } })
    expect(model.requests[0]?.maxOutputTokens).toBeUndefined()
    const limited = modelOf('the summary', 'turn')
    const policy = { ...kit, keepTokens: 100, summaryTokens: 500 }
    await compacted(talk(marks(6), 40), limited, { policy, model: { contextWindow } })
    expect(limited.requests[0]?.maxOutputTokens).toBe(500)
  })

  it('T15: the summary message has the role system, its line, and the summary', async () => {
    const got = await compacted(talk(marks(6), 40), modelOf('line one\nline two'), {
      policy: { ...kit, keepTokens: 100 },
    })
    expect(got.messages[0]?.role).toBe('system')
    expect(contentOf(got.messages[0])).toBe(
      '[Conversation summary — earlier messages were compacted]\n\nline one\nline two',
    )
  })

  it('T15: at send time it is an instruction block; a tail that starts with the user needs no frame', async () => {
    const messages = talk(marks(6), 40)
    const got = await compacted(messages, modelOf('the summary'), { policy: { ...kit, keepTokens: 100 } })
    const request = requestOf(got.view)
    expect(request.system).toHaveLength(1)
    expect(request.system[0]).toContain('the summary')
    expect(request.messages).toEqual(messages.slice(4))
  })

  it('T15: at send time a tail that starts with the assistant gets a user frame before it', async () => {
    const got = await compactMessages(talk(marks(6), 60), {
      policy: { ...kit, keepTokens: 100 },
      summaryModels: [modelOf('the summary', 'turn')],
    })
    // From the end 60, 120 > 100: only the assistant's m6 is kept.
    const request = requestOf(got.view)
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(request.messages[1]).toEqual(talk(marks(6), 60)[5])
  })
})

/** Five messages before the last one, with a file that was read and one that was written. */
function history(): Message[] {
  return [
    user('m1. please change it'),
    calls(['c1', 'read', { path: 'src/a.ts' }], ['c2', 'edit', { path: 'src/b.ts' }]),
    result('c1', 'text of a.ts'),
    result('c2', 'changed', 'edit'),
    assistant('m2. done'),
    user('thanks'),
  ]
}

/** The prompt to the summariser for the history, of which the last message stays. */
async function promptSent(policy: PolicyPatch, focus?: string): Promise<string> {
  const model = modelOf('summary')
  await compacted(history(), model, { policy, focus })
  expect(model.requests).toHaveLength(1)
  return saidIn(model.requests[0])
}

/** The first 2,000 characters, and then the marker on a line of its own. */
function expectCut(label: string, text: string, missing: number): void {
  expect(text).toBe(`${label}${'x'.repeat(2_000)}\n[...${missing} chars truncated]`)
}

/** Where an automatic compaction cuts. */
async function cutOf(messages: readonly Message[], keepTokens: number): Promise<number | 'no cut'> {
  const got = await compacted(messages, modelOf('s', 't'), { policy: { ...kit, keepTokens }, reason: 'overflow' })
  if (!got.compacted) return 'no cut'
  expect(got.messages.slice(1)).toEqual(messages.slice(got.cut))
  return summarised(got).cut
}

/** The log with the counts of a provider for which four characters are this many tokens. */
function counted(log: readonly Entry[], factor: number): Entry[] {
  let before = 0
  return log.map((entry) => {
    if (entry.type !== 'message') return entry
    const inputTokens = Math.round(before * factor)
    const outputTokens = Math.round(messageTokens(entry.message, charactersByFour) * factor)
    before += messageTokens(entry.message, charactersByFour)
    return entry.message.role === 'assistant'
      ? { ...entry, model: 'acme/main', usage: { inputTokens, outputTokens } }
      : entry
  })
}

/** One turn in which these tools were called on these paths, one after the other. */
function worked(steps: readonly (readonly [tool: string, path: string])[]): Message[] {
  const work = steps.flatMap(([tool, path], i) => [calls([`c${i}`, tool, { path }]), result(`c${i}`, 'fine', tool)])
  return [user('do it'), ...work]
}

/** The same message with call ids of its own. */
function inRound(name: string): (message: Message) => Message {
  return (message) => JSON.parse(JSON.stringify(message).replaceAll('"toolCallId":"c', `"toolCallId":"${name}`))
}
