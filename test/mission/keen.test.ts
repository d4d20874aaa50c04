import { describe, expect, it } from 'vitest'
import {
  appended,
  compact,
  gauge,
  logOf,
  type Message,
  PRESETS,
  percentText,
  type Reason,
  type SummaryModel,
  status,
  viewOf,
} from '../../src/engine.ts'
import { loadRegistry, parseRegistry, registryOf, resolveModel } from '../../src/models/index.ts'
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

const keen = { preset: 'keen' } as const
const AUTOMATIC: readonly Reason[] = ['threshold', 'overflow', 'limit']

describe('the percentage', () => {
  it('K2: 1,000 tokens in a window of 2,000 are 50.00%', () => {
    // 4,000 characters ÷ 4 = 1,000 tokens
    const view = viewOf(logOf([user('x'.repeat(4_000))]))
    const now = status({ view, model: { contextWindow: 2_000 } })
    expect(now).toMatchObject({ tokens: 1_000, window: 2_000, percent: 50, known: true })
    expect(percentText(now)).toBe('50.00%')
  })

  it.each([
    [0, 2_000, '0.00%'],
    [5, 1_000, '0.50%'],
    [1, 3, '33.33%'],
    [6_999, 10_000, '69.99%'],
    [7_000, 10_000, '70.00%'],
    [3_000, 2_000, '150.00%'],
  ])('K2: %i of %i is %s', (tokens, window, text) => {
    expect(percentText(gauge(tokens, window))).toBe(text)
  })

  it.each([
    [6_999, 'normal'],
    [7_000, 'warning'],
    [8_999, 'warning'],
    [9_000, 'critical'],
  ])('K3: %i of 10,000 has the level %s', (tokens, level) => {
    expect(gauge(tokens, 10_000).level).toBe(level)
  })

  it('K5: registry.yaml gives a window, and if it gives none the status says N/A', () => {
    const models = [...loadRegistry().values()]
    const shown = models.map((info) => percentText(status({ view: viewOf([]), model: info })))
    expect(shown).toEqual(models.map((info) => (info.contextWindow === undefined ? 'N/A' : '0.00%')))
    expect(shown.filter((text) => text === 'N/A').length).toBeLessThan(models.length / 20)
  })

  it('K5: the window of a model comes from its context_window', () => {
    const yaml = 'models:\n  - { provider: acme, model: big, context_window: 2000 }'
    const model = resolveModel(registryOf(parseRegistry(yaml, 'registry.yaml')), 'acme/big')
    const view = viewOf(logOf([user('x'.repeat(4_000))]))
    expect(percentText(status({ view, model }))).toBe('50.00%')
  })

  it('K5: a model without a context_window shows N/A and has no percentage to draw a bar or a hint from', () => {
    const yaml = 'models:\n  - { provider: acme, model: big }'
    const model = resolveModel(registryOf(parseRegistry(yaml, 'registry.yaml')), 'acme/big')
    const now = status({ view: viewOf(logOf([user('x'.repeat(4_000_000))])), model })
    expect(percentText(now)).toBe('N/A')
    expect(now).toMatchObject({ known: false, level: 'unknown' })
    expect(now.percent).toBeUndefined()
  })

  it.each(['pith', 'keen', 'koda', 'agent', 'kit'] as const)(
    'K5: without a known window nothing is triggered by percentage under %s',
    async (preset) => {
      const model = modelOf('summary')
      const got = await compacted(talk(marks(40), 10_000), model, {
        policy: { preset, mode: 'auto', triggerPercent: 1 },
        reason: 'threshold',
        model: { provider: 'acme', model: 'of-tomorrow' },
      })
      expect(got).toMatchObject({ outcome: 'skipped', compacted: false })
      expect(model.requests).toEqual([])
    },
  )

  it('K6: without provider usage four characters count as one token', () => {
    const view = viewOf(logOf([user('abcd'), assistant('x'.repeat(400))]))
    // 4 ÷ 4 + 400 ÷ 4
    expect(status({ view })).toMatchObject({ tokens: 101, source: 'estimate' })
  })

  it('K6: with provider usage only what came after it is estimated', () => {
    const log = appended(
      [],
      [
        { type: 'message', message: user('x'.repeat(4_000)) },
        { type: 'message', message: assistant('fine'), usage: { inputTokens: 700, outputTokens: 50 } },
        { type: 'message', message: user('x'.repeat(40)) },
      ],
    )
    // 700 + 50 reported, then 40 ÷ 4
    expect(status({ view: viewOf(log) })).toMatchObject({ tokens: 760, source: 'provider' })
  })
})

describe('the request', () => {
  const history: Message[] = [
    user('please look into a.ts'),
    calls(['c1', 'read', { path: 'src/a.ts' }]),
    result('c1', 'export const secretOfTheFile = 42'),
    assistant('it exports one constant'),
  ]

  it('K8: it has a system prompt of its own, not that of the conversation', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen, fixed: { system: 'You are Keen, a coding agent.' } })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.system.trim()).not.toBe('')
    expect(saidIn(model.requests[0])).not.toContain('You are Keen')
  })

  it('K8: it holds the whole history and ends with an instruction', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen })
    const [request] = model.requests
    expect(
      inOrder(saidIn(request), [
        'please look into a.ts',
        'src/a.ts',
        'secretOfTheFile = 42',
        'it exports one constant',
        'Goal',
      ]),
    ).toBe(true)
    expect(request?.messages.at(-1)?.role).toBe('user')
    expect(contentOf(request?.messages.at(-1))).toContain('Goal')
    expect(contentOf(request?.messages.at(-1))).not.toContain('it exports one constant')
  })

  it('K8: it declares no tools and renders calls and results as text', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen, fixed: { tools: [{ name: 'read' }] } })
    const [request] = model.requests
    expect(Object.keys(request ?? {})).not.toContain('tools')
    expect(request?.messages.every(({ content }) => typeof content === 'string')).toBe(true)
    expect(request?.messages.some(({ role }) => role === 'tool')).toBe(false)
  })

  it('K8: long tool output reaches the summariser whole', async () => {
    const model = modelOf('summary')
    await compacted([...history.slice(0, 2), result('c1', `${'x'.repeat(5_000)}END`)], model, { policy: keen })
    expect(saidIn(model.requests[0])).toContain(`${'x'.repeat(5_000)}END`)
  })

  it('K8: a focus is appended as `Additionally: <focus>`', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen, focus: 'the database schema' })
    expect(contentOf(model.requests[0]?.messages.at(-1)).endsWith('Additionally: the database schema')).toBe(true)
  })

  it('K8: without a focus the prompt mentions none', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen })
    expect(saidIn(model.requests[0])).not.toContain('Additionally:')
  })

  it('K8: a history larger than the window goes in chunks, each message in exactly one, and is merged', async () => {
    // 20 messages of 500 tokens are 10,000; the window has 4,000, so there are at least 3 chunks and one merge.
    const names = marks(20)
    const answers = Array.from({ length: 20 }, (_, i) => `part ${i + 1} of the summary`)
    const model = namedModel({ name: 'acme/small', window: 4_000 }, ...answers)
    const got = await compacted(talk(names, 500), model, {
      policy: keen,
      model: { contextWindow: 4_000 },
      focus: 'the schema',
    })
    const chunks = model.requests.slice(0, -1).map(saidIn)
    const merge = saidIn(model.requests.at(-1))
    expect(chunks.length).toBeGreaterThanOrEqual(3)
    for (const name of names) expect(chunks.filter((text) => text.includes(name))).toHaveLength(1)
    expect(
      inOrder(
        merge,
        chunks.map((_, i) => `part ${i + 1} of the summary`),
      ),
    ).toBe(true)
    expect(merge).toContain('Additionally: the schema')
    for (const request of model.requests) expect(saidIn(request).length / 4).toBeLessThanOrEqual(4_000)
    expect(summarised(got).summary).toBe(`part ${model.requests.length} of the summary`)
  })

  it('K8: a single message larger than the window still makes a request that fits', async () => {
    const model = namedModel({ name: 'acme/small', window: 4_000 }, 'one', 'two', 'three', 'four')
    const got = await compacted([user('go'), assistant(words('huge', 8_000))], model, {
      policy: keen,
      model: { contextWindow: 4_000 },
    })
    expect(got.outcome).toBe('compacted')
    for (const request of model.requests) expect(saidIn(request).length / 4).toBeLessThanOrEqual(4_000)
  })

  it('K10: it asks for the five sections in their order', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen })
    const asked = contentOf(model.requests[0]?.messages.at(-1))
    expect(
      inOrder(asked, ['## Goal', '## Key Instructions', '## Discoveries', '## Accomplished', '## Relevant Files']),
    ).toBe(true)
  })

  it('K10: it asks to be concise, without tool output verbatim, and useful for going on', async () => {
    const model = modelOf('summary')
    await compacted(history, model, { policy: keen })
    const asked = contentOf(model.requests[0]?.messages.at(-1))
    expect(asked).toMatch(/concise/i)
    expect(asked).toMatch(/tool output/i)
    expect(asked).toMatch(/verbatim/i)
    expect(asked).toMatch(/going on|continu/i)
  })
})

describe('the result', () => {
  it('K9: the summary replaces the history as one user message and no tail is kept', async () => {
    const got = await compacted(talk(marks(30)), modelOf('the summary'), { policy: keen })
    expect(got.messages).toHaveLength(1)
    expect(got.messages[0]?.role).toBe('user')
    expect(contentOf(got.messages[0])).toContain('the summary')
  })

  it('K9: with keepMessages: 20 the summary and the last 20 messages stay', async () => {
    const history = talk(marks(25))
    const got = await compacted(history, modelOf('the summary'), { policy: { ...keen, keepMessages: 20 } })
    expect(got.messages).toHaveLength(21)
    expect(contentOf(got.messages[0])).toContain('the summary')
    expect(got.messages.slice(1)).toEqual(history.slice(5))
  })

  it('K9: with keepMessages: 20 the summary still covers those 20', async () => {
    const model = modelOf('the summary')
    await compacted(talk(marks(25)), model, { policy: { ...keen, keepMessages: 20 } })
    expect(inOrder(saidIn(model.requests[0]), marks(25))).toBe(true)
  })

  it.each([1, 19, 20])('K9: with keepMessages: 20 a history of %i messages is a skip', async (count) => {
    const model = modelOf('the summary')
    const history = talk(marks(count))
    const got = await compacted(history, model, { policy: { ...keen, keepMessages: 20 } })
    expect(got).toMatchObject({ outcome: 'skipped', compacted: false })
    expect(got.messages).toEqual(history)
    expect(model.requests).toEqual([])
  })

  it('K9: with keepMessages: 20 a history of 21 messages is compacted', async () => {
    const history = talk(marks(21))
    const got = await compacted(history, modelOf('the summary'), { policy: { ...keen, keepMessages: 20 } })
    expect(got.compacted).toBe(true)
    expect(got.messages.slice(1)).toEqual(history.slice(1))
  })

  it.each([undefined, 20])(
    'K9: a second one straight after the first asks no model (keepMessages: %s)',
    async (keepMessages) => {
      const model = modelOf('the summary', 'a summary of the summary')
      const policy = { ...keen, keepMessages }
      const log = logOf(talk(marks(25)))
      const first = await compact({ log, policy, summaryModels: [model] })
      const again = await compact({ log: [...log, ...first.entries], policy, summaryModels: [model] })
      expect(again).toMatchObject({ outcome: 'skipped', skip: 'nothing-to-gain', entries: [] })
      expect(again.messages).toEqual(first.messages)
      expect(model.requests).toHaveLength(1)
    },
  )

  it('K9: a message said since the first one is summarised by the second', async () => {
    const model = modelOf('the summary', 'the next summary')
    const log = logOf(talk(marks(25)))
    const first = await compact({ log, policy: keen, summaryModels: [model] })
    const longer = appended([...log, ...first.entries], [{ type: 'message', message: user('one more') }])
    const again = await compact({ log: longer, policy: keen, summaryModels: [model] })
    expect(again.outcome).toBe('compacted')
    expect(inOrder(saidIn(model.requests[1]), ['the summary', 'one more'])).toBe(true)
  })

  it.each(AUTOMATIC)('K11: a context far over the window is not compacted by itself (%s)', async (reason) => {
    const model = modelOf('summary')
    const history = talk(marks(10), 1_000)
    const got = await compacted(history, model, { policy: keen, reason, model: { contextWindow: 100 } })
    expect(got).toMatchObject({ outcome: 'skipped', compacted: false })
    expect(got.messages).toEqual(history)
    expect(model.requests).toEqual([])
  })

  it('K11: a token limit does not change that', async () => {
    const model = modelOf('summary')
    const policy = { ...keen, tokenLimit: 10 }
    const got = await compacted(talk(marks(10), 1_000), model, { policy, reason: 'threshold' })
    expect(got.compacted).toBe(false)
    expect(model.requests).toEqual([])
    expect(PRESETS.keen.mode).toBe('off')
  })

  it.each([
    ['the stream throws', failing('throw')],
    ['the stream reports an error', failing('error')],
    ['the answer is cut off at the output limit', failing('length')],
  ])('K19: %s mid-stream and the history is untouched', async (_, model) => {
    const log = logOf(talk(marks(10)))
    const before = structuredClone(log)
    const got = await compact({ log, policy: keen, summaryModels: [model] })
    expect(got).toMatchObject({ outcome: 'failed', compacted: false, messagesRemoved: 0 })
    expect(got.messages).toEqual(talk(marks(10)))
    expect(messagesAfter(log, got)).toEqual(talk(marks(10)))
    expect(log).toEqual(before)
  })

  it('K19: the reason of a failure is what the provider said', async () => {
    const got = await compacted(talk(marks(10)), failing('throw'), { policy: keen })
    expect(got.reason).toContain('connection reset')
  })

  it('K19: a cancel while the model hangs mid-stream ends at once and leaves the history untouched', async () => {
    const { model, started } = hangingModel()
    const cancel = new AbortController()
    const log = logOf(talk(marks(10)))
    const running = compact({ log, policy: keen, summaryModels: [model], signal: cancel.signal })
    await started
    cancel.abort()
    const got = await running
    expect(got).toMatchObject({ outcome: 'cancelled', compacted: false })
    expect(got.messages).toEqual(talk(marks(10)))
    expect(messagesAfter(log, got)).toEqual(talk(marks(10)))
  })

  it('K19: a signal that is aborted already asks no model', async () => {
    const model = modelOf('summary')
    const got = await compacted(talk(marks(10)), model, { policy: keen, signal: AbortSignal.abort() })
    expect(got.outcome).toBe('cancelled')
    expect(model.requests).toEqual([])
  })

  it.each(['pith', 'keen', 'koda', 'agent', 'kit'] as const)(
    'K20: an empty history is a no-op under %s, not an error',
    async (preset) => {
      const model = modelOf('summary')
      const got = await compacted([], model, { policy: { preset } })
      expect(got).toMatchObject({ outcome: 'skipped', compacted: false, messages: [], entries: [] })
      expect(model.requests).toEqual([])
    },
  )
})

/** A model that breaks off after a part of its summary. */
function failing(how: 'throw' | 'error' | 'length'): SummaryModel {
  return {
    name: 'acme/failing',
    async *stream() {
      yield 'half of a summ'
      if (how === 'throw') throw new Error('connection reset')
      if (how === 'error') yield { type: 'error', error: new Error('overloaded') }
      else yield { type: 'finish', reason: 'length' }
    },
  }
}
