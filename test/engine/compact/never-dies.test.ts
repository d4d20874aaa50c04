import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { undoTargets } from '../../../src/engine/context/view/activity.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { CompactEvent, CompactResult } from '../../../src/model/compact-result.ts'
import { parseEntry } from '../../../src/model/entry.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import {
  type AssistantMessage,
  type AssistantPart,
  type Entry,
  type Fixed,
  type Message,
  messagesOf,
} from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { charactersByFour, type Estimator, messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { status } from '../../../src/tokens/status.ts'
import { FAILING_MODELS, type FailingModel, INVENTED_FILE } from '../../support/failing-models.ts'
import { full } from '../../support/full.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { summarised } from '../../support/summarised.ts'
import { budgetFor, expectWithinBounds, unreadAfter } from '../../support/within-bounds.ts'

const window = 8_000
const estimator = charactersByFour
const model = { contextWindow: window }
const { target = 0, ceiling = 0 } = budgetOf(policyOf(), window)
const REASONS = full ? (['manual', 'threshold', 'overflow'] as const) : (['manual', 'overflow'] as const)
/** A text of that many tokens, no two words of it the same. */
const text = (tokens: number) =>
  Array.from({ length: tokens / 2 }, (_, i) => `w${i}`.padEnd(7, '-'))
    .join(' ')
    .padEnd(tokens * 4, '.')

type History = { readonly of: string; readonly log: readonly Entry[]; readonly fixed?: Fixed }

const steps = (count: number, tokens: number): Message[] =>
  Array.from({ length: count }, (_, i) => [call(`c${i}`), result(`c${i}`, text(tokens))]).flat()

const commands = (count: number): Message[] =>
  Array.from({ length: count }, (_, i) => [
    call(`b${i}`, 'bash', { command: `make part-${i}` }),
    result(`b${i}`, `Error: part ${i} is wrong\nexit code 1`, 'bash'),
  ]).flat()

const TOO_MANY = 'more parallel results than could be shown'

const HISTORIES: readonly History[] = [
  { of: 'five windows of talk', log: logOf(turns(100, 800)) },
  { of: 'five windows of tool output', log: logOf([user('go'), ...steps(100, 400)]) },
  { of: 'one tool result of two windows', log: logOf([user('go'), call('x'), result('x', text(2 * window))]) },
  {
    of: 'talk before a tool result of two windows',
    log: logOf([...turns(10, 400), user('go'), call('x'), result('x', text(2 * window))]),
  },
  { of: 'one message of two windows', log: logOf([user(text(2 * window))]) },
  { of: 'talk before a message of two windows', log: logOf([...turns(10, 400), user(text(2 * window))]) },
  { of: 'a first message of two windows', log: logOf([user(text(2 * window)), ...turns(10, 400), user('go on')]) },
  { of: 'nothing but tool results at its end', log: logOf([...turns(10, 400), user('go'), ...parallel(30, 600)]) },
  { of: TOO_MANY, log: logOf([user('go'), ...parallel(300, 20)]) },
  { of: 'nothing that is not pinned', log: pinned(logOf(turns(20, 1_600))) },
  { of: 'images', log: logOf([...Array.from({ length: 20 }, (_, i) => [shown(i), assistant(`seen ${i}`)]).flat()]) },
  { of: 'files that the agent made', log: logOf([...turns(4, 400), user('write it'), made(2 * window)]) },
  {
    of: 'thoughts that are stored apart',
    log: logOf([...turns(4, 400), user('think'), thought(9_000), assistant('so')]),
  },
  { of: 'a thought before a file', log: logOf([...turns(4, 400), user('write it'), withThought(made(2 * window))]) },
  { of: 'no word of the user', log: logOf(Array.from({ length: 60 }, (_, i) => assistant(`${i} ${text(200)}`))) },
  {
    of: 'a system prompt and tools of 45 % of the window before talk',
    log: logOf([...turns(40, 800), user('go on')]),
    fixed: { system: text(0.3 * window), tools: [{ name: 'read', description: text(0.15 * window - 20) }] },
  },
]

/**
 * Every history meets one or two of the models, and every model two of the histories, each time for another reason; under
 * `full` all meet for every reason.
 */
const cases = HISTORIES.flatMap((history, i) =>
  FAILING_MODELS.filter((_, j) => full || (i + j) % 8 === 0).map((failing) => ({ history, failing })),
).map((met, at) => ({ ...met, reasons: REASONS.filter((_, i) => full || i === at % REASONS.length) }))

describe('a session', () => {
  it.each(cases)('of $history.of outlives a model that $failing.does', async ({ history, failing, reasons }) => {
    for (const reason of reasons) {
      const { calls, ...asked } = failing.make()
      const events: CompactEvent[] = []
      const { log, fixed } = history
      const input = {
        log,
        fixed,
        model,
        estimator,
        reason,
        ...asked,
        onEvent: (event: CompactEvent) => events.push(event),
      }
      const done = await compact(input)
      expect(done, reason).toMatchObject({ outcome: 'compacted', compacted: true, reason })
      expectGoodContext(done, input)
      expectTold(done, events, failing, calls())
      expectUndone(log, done)
    }
  })

  it('that was compacted with nothing said since is left alone, and no model is asked again', async () => {
    let compactions = 0
    for (const { log, fixed } of HISTORIES) {
      const first = await compact({ log, fixed, model, estimator, reason: 'overflow' })
      if (!first.compacted) continue
      compactions++
      const summariser = modelSaying('## Goal\nTo get on.')
      const longer = [...log, ...first.entries]
      // A mask leaves something to summarise for a user who asks, or a provider that still refuses.
      for (const reason of first.rung === 'mask' ? (['threshold'] as const) : REASONS) {
        const again = await compact({ log: longer, fixed, model, estimator, reason, summaryModels: [summariser] })
        expect(again, reason).toMatchObject({ outcome: 'skipped', entries: [] })
      }
      expect(summariser.requests).toEqual([])
    }
    expect(compactions).toBeGreaterThan(HISTORIES.length / 2)
  })

  it.each<[string, Estimator | undefined]>([
    ['four times as dense as ours', { name: 'dense', text: (value) => value.length }],
    ['that nobody chose', undefined],
  ])('fits its target by a measure %s', async (_, measure) => {
    for (const { of, log, fixed } of HISTORIES.filter((history) => history.fixed === undefined)) {
      const done = await compact({ log, fixed, model, estimator: measure, reason: 'overflow' })
      expect(done, `${of}: ${done.reason}`).toMatchObject({ outcome: 'compacted' })
      // If there are too many results, even the handles need more than the limit.
      if (of === TOO_MANY) expect(done.tokensAfter).toBeLessThanOrEqual(ceiling)
      else expectWithinBounds(done, { fixed, model, estimator: measure }, of)
      expect(validate(requestOf(done.view).messages), of).toEqual([])
    }
  })

  it.each(full ? [2_000, 32_000, 200_000] : [2_000, 32_000])(
    'in a window of %i tokens fits its target without a model',
    async (contextWindow) => {
      for (const tokens of full ? [5, 2] : [2]) {
        const huge = text(tokens * contextWindow)
        for (const messages of [
          [user('go'), assistant(huge), user('on')],
          [user('go'), call('x'), result('x', huge)],
          [user(huge)],
          [...turns(20, contextWindow), user(huge), call('x'), result('x', huge)],
        ]) {
          const done = await compact({ log: logOf(messages), model: { contextWindow }, estimator, reason: 'overflow' })
          expect(done.outcome).toBe('compacted')
          expectWithinBounds(done, { model: { contextWindow }, estimator })
          expect(validate(requestOf(done.view).messages)).toEqual([])
        }
      }
    },
  )
})

describe('a session whose summary fills the target', () => {
  /** The largest summary that is accepted: only the latest message comes after it. */
  async function full(): Promise<readonly Entry[]> {
    const log = logOf([...turns(40, 400), assistant(text(2_500)), user('go on')])
    const compacted = (tokens: number) =>
      compact({ log, model, estimator, reason: 'overflow', summaryModels: [modelSaying(text(tokens))] })
    let done = await compacted(target)
    for (let tokens = target; done.compacted && done.rung !== 'cold'; tokens -= 20) done = await compacted(tokens)
    expect(done).toMatchObject({ rung: 'cold' })
    expect(done.tokensAfter).toBeGreaterThan(target - 30)
    return [...log, ...done.entries]
  }

  it('outlives a tool result of two windows right after it', async () => {
    const log = appended(await full(), said(call('x'), result('x', text(2 * window))))
    for (const reason of REASONS) {
      const done = await compact({ log, model, estimator, reason })
      expect(done, `${reason}: ${done.reason}`).toMatchObject({ outcome: 'compacted' })
      expectGoodContext(done, { log, model })
      // The result has what the limit leaves; it is not summarised before the model has read it.
      const free = (budgetFor({ model, estimator }).limit ?? 0) - target
      expect(unreadAfter(done, { model, estimator }), reason).toBeGreaterThan(free * 0.95)
    }
  })

  it('outlives a message of two windows right after it', async () => {
    const log = appended(await full(), said(user(text(2 * window))))
    const done = await compact({ log, model, estimator, reason: 'overflow' })
    expect(done, done.reason).toMatchObject({ outcome: 'compacted' })
    expectGoodContext(done, { log, model })
  })

  it('shortens no message of the user that is at most a quarter of the target', async () => {
    const asked = user(text(target / 4))
    const log = appended(await full(), said(asked, call('x'), result('x', text(2 * window))))
    const done = await compact({ log, model, estimator, reason: 'overflow' })
    expectVerbatim(done.messages, asked)
  })
})

describe('what the user said first', () => {
  it.each([0, 10, 15])(
    'stays verbatim up to a quarter of the target beside fixed parts of %i percent of the window',
    async (percent) => {
      const first = text(target / 4)
      const log = logOf([user(first), ...turns(60, 400), user('go on')])
      const fixed = { system: text((percent * window) / 100) }
      for (const summaryModels of [[], [modelSaying('## Goal\nTo get on.')]]) {
        const done = await compact({ log, fixed, model, estimator, summaryModels })
        expect(done, done.reason).toMatchObject({ outcome: 'compacted' })
        expect(String(done.messages[0]?.content).includes(first)).toBe(true)
      }
    },
  )
})

describe('a part that cannot be compacted and leaves no room for a record', () => {
  const log = logOf(turns(40, 800))
  const large = text(0.95 * window)
  it.each<[string, Partial<CompactInput>]>([
    ['the system prompt', { fixed: { system: large, memory: text(10) } }],
    ['the tool schemas', { fixed: { tools: [{ name: 'read', description: large }], system: text(500) } }],
    ['the instructions', { fixed: { instructions: large } }],
    ['the memory', { fixed: { memory: large } }],
    ['the pending input', { pending: [user(large)] }],
  ])('is named: %s', async (part, more) => {
    const summariser = modelSaying('## Goal\nTo get on.')
    for (const reason of REASONS) {
      const skipped = await compact({ log, model, estimator, reason, summaryModels: [summariser], ...more })
      expect(skipped).toMatchObject({ outcome: 'skipped', skip: 'floor-too-large', entries: [] })
      expect(skipped.reason).toContain(`the largest part is ${part}`)
      expect(skipped.messages).toEqual(turns(40, 800))
    }
    expect(summariser.requests).toEqual([])
  })

  it('ends once a frame fits: no number of tokens that fixed parts leave makes a compaction fail', async () => {
    const outcomes: string[] = []
    const facts = logOf([
      ...turns(20, 800),
      user('Never use port 4711.'),
      ...steps(40, 200),
      ...commands(20),
      user('go'),
    ])
    for (let left = 100; left <= 400; left += full ? 3 : 25) {
      const done = await compact({
        log: facts,
        model,
        estimator,
        reason: 'overflow',
        fixed: { system: text(ceiling - left) },
      })
      outcomes.push(done.outcome === 'skipped' ? done.skip : done.outcome)
      expect(done.entries.map(({ type }) => type)).toEqual(done.compacted ? ['compaction'] : [])
    }
    const first = outcomes.indexOf('compacted')
    expect(first).toBeGreaterThan(0)
    expect(new Set(outcomes.slice(0, first))).toEqual(new Set(['floor-too-large']))
    expect(new Set(outcomes.slice(first))).toEqual(new Set(['compacted']))
  })

  it('is named when so many messages are pinned that not even their handles fit', async () => {
    const skipped = await compact({ log: pinned(logOf(turns(1_000, 200))), model, estimator, reason: 'overflow' })
    expect(skipped).toMatchObject({ outcome: 'skipped', skip: 'floor-too-large' })
    expect(skipped.reason).toContain('the pinned messages')
  })
})

/** Within its bounds, valid, and with what the user said last. */
function expectGoodContext(done: CompactResult, { log, fixed, model }: CompactInput): void {
  expect(done.tokensAfter).toBe(status({ view: done.view, model, fixed, estimator }).tokens)
  expectWithinBounds(done, { fixed, model, estimator })
  const { messages } = requestOf(done.view)
  expect(validate(messages)).toEqual([])
  const asked = messagesOf(viewOf(log)).findLast((message) => message.role === 'user')
  if (asked === undefined) return
  if (messageTokens(asked, estimator) <= target / 4) return expectVerbatim(messages, asked)
  const seq = log.findLast((entry) => entry.type === 'message' && entry.message === asked)?.seq
  const kept = messages.findLast((message) => message.role === 'user')
  expect(JSON.stringify(kept)).toContain(`recall #${seq}`)
  if (typeof asked.content !== 'string') return
  expect(String(kept?.content).slice(0, 40)).toBe(asked.content.slice(0, 40))
  expect(String(kept?.content).slice(-40)).toBe(asked.content.slice(-40))
}

function expectVerbatim(messages: readonly Message[], asked: Message): void {
  const texts = messages.map((message) => JSON.stringify(message))
  expect(texts.includes(JSON.stringify(asked)), 'what the user said last is there, verbatim').toBe(true)
}

/** The entries and the events say what was tried, why it was refused, and what it came to. */
function expectTold(done: CompactResult, events: readonly CompactEvent[], failing: FailingModel, calls: number): void {
  for (const entry of done.entries) expect(parseEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
  const { tokensBefore, tokensAfter } = done
  const rung = done.compacted ? done.rung : undefined
  const [ended, ...more] = events.filter((event) => event.type === 'done')
  expect(more).toEqual([])
  expect(ended).toMatchObject({ rung, tokensBefore, tokensAfter })
  expect(events.at(-1)).toBe(ended)
  const change = done.entries.at(-1)
  expect(change?.type).toBe(rung === 'mask' || rung === 'squeeze' ? rung : 'compaction')
  if (change?.type !== 'squeeze') expect(change).toMatchObject({ tokensBefore, tokensAfter })
  if (change?.type === 'compaction') expect(change).toMatchObject({ rung, reason: done.reason })
  if (rung === 'cold') {
    expect(failing.answer).toBe('data')
    const { summary, flagged } = summarised(done)
    if (summary.includes(INVENTED_FILE)) expect(flagged).toContain(INVENTED_FILE)
    return
  }
  const attempts = done.entries.filter((entry) => entry.type === 'attempt')
  const refused = events.filter((event) => event.type === 'refused' && event.rung === 'cold')
  expect(attempts).toHaveLength(calls === 0 ? 0 : 1)
  expect(refused).toHaveLength(calls === 0 ? 0 : 1)
  if (calls === 0) return
  expect(attempts[0]).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(failing.refusal) })
  expect(refused[0]).toMatchObject({ reason: attempts[0]?.reason, model: expect.stringMatching('test/') })
  expect(done.entries.findIndex((entry) => entry.type === 'attempt')).toBe(done.entries.length - 2)
}

function expectUndone(log: readonly Entry[], done: CompactResult): void {
  const longer = [...log, ...done.entries]
  const { undo } = undoTargets(longer)
  expect(undo).toBe(done.entries.at(-1)?.seq)
  if (undo === undefined) return
  const before = viewOf(longer.filter(({ type }) => type === 'message' || type === 'repair' || type === 'pin'))
  expect(messagesOf(viewOf(appended(longer, [{ type: 'undo', of: undo }])))).toEqual(messagesOf(before))
}

function said(...messages: Message[]) {
  return messages.map((message) => ({ type: 'message' as const, message }))
}

function pinned(log: readonly Entry[]): Entry[] {
  return appended(
    log,
    log.map(({ seq }) => ({ type: 'pin', target: seq, on: true })),
  )
}

/** One step with that many calls, each answered in a separate message. */
function parallel(count: number, tokens: number): Message[] {
  const calls = Array.from(
    { length: count },
    (_, i): AssistantPart => ({
      type: 'tool-call',
      toolCallId: `p${i}`,
      toolName: 'read',
      input: { path: `p${i}.ts` },
    }),
  )
  return [{ role: 'assistant', content: calls }, ...calls.map((_, i) => result(`p${i}`, text(tokens)))]
}

function shown(i: number): Message {
  return {
    role: 'user',
    content: [
      { type: 'text', text: `what is in picture ${i}?` },
      { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
    ],
  }
}

/** A message of the agent that is nothing but a file. */
function made(tokens: number): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'file', data: { type: 'text', text: text(tokens) }, mediaType: 'text/plain' }],
  }
}

function thought(tokens: number): Message {
  return { role: 'assistant', content: [{ type: 'reasoning', text: text(tokens) }] }
}

function withThought(message: AssistantMessage): Message {
  const parts = typeof message.content === 'string' ? [] : message.content
  return { ...message, content: [{ type: 'reasoning', text: 'hm' }, ...parts] }
}
