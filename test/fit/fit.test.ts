import { describe, expect, it } from 'vitest'
import { type FitOptions, fit, type Message, messagesTokens, validate } from '../../src/engine.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { call, modelSaying, result, turns, user } from '../support/messages.ts'

const SUMMARY = '## Goal\nTo ask each question. Then to answer it.'
const FINISH = { type: 'finish', reason: 'stop', usage: { inputTokens: 900, outputTokens: 50 } } as const
const SYSTEM: Message = { role: 'system', content: 'Answer in French.' }

/** Anthropic: "The final block in an assistant message cannot be `thinking`." */
const THOUGHT: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }

describe('fit', () => {
  it('gives messages that fit back as they are', async () => {
    const messages = turns(3)
    const fitted = await fit(messages, { window: 8_000 })
    expect(fitted).toMatchObject({ messages, fits: true })
    expect(fitted.result).toBeUndefined()
  })

  it('compacts what does not fit, without a model, into what a provider takes', async () => {
    const fitted = await fit(turns(60, 800), { window: 8_000 })
    expect(fitted.fits).toBe(true)
    expect(fitted.tokensAfter).toBeLessThan(fitted.tokensBefore)
    expect(messagesTokens(fitted.messages, featureEstimator)).toBeLessThan(8_000)
    expect(validate(fitted.messages)).toEqual([])
    expect(JSON.stringify(fitted.messages)).toContain('question 0')
  })

  it('asks the model it is given for the summary', async () => {
    const model = modelSaying('## Goal\nTo ask each question. Then to answer it.')
    const fitted = await fit(turns(60, 800), { window: 8_000, summaryModels: [model] })
    expect(model.requests).not.toEqual([])
    expect(JSON.stringify(fitted.messages)).toContain('To ask each question. Then to answer it.')
  })

  it('leaves system messages at the front, word for word', async () => {
    const fitted = await fit([SYSTEM, ...turns(60, 800)], { window: 8_000 })
    expect(fitted.result?.compacted).toBe(true)
    expect(fitted.messages[0]).toEqual(SYSTEM)
    expect(fitted.messages.filter((message) => message.role === 'system')).toHaveLength(1)
  })

  it('counts the system prompt and the tools', async () => {
    const messages = turns(20, 800)
    expect((await fit(messages, { window: 8_000 })).result).toBeUndefined()
    expect((await fit(messages, { window: 8_000, system: 'word '.repeat(3_000) })).result?.compacted).toBe(true)
  })

  it('shortens a single tool result that is twice the window', async () => {
    const messages = [user('read it'), call('a'), result('a', 'line of a log\n'.repeat(6_000))]
    const fitted = await fit(messages, { window: 8_000 })
    expect(fitted.fits).toBe(true)
    expect(validate(fitted.messages)).toEqual([])
  })

  it.each(['keen', 'koda', 'agent', 'kit'] as const)(
    'fits under the preset %s when its model fails too',
    async (preset) => {
      const failing = modelSaying({ type: 'error', error: 'overloaded' })
      const fitted = await fit(turns(80, 800), { window: 8_000, policy: { preset }, summaryModels: [failing] })
      expect(fitted.fits).toBe(true)
      expect(fitted.tokensAfter).toBeLessThan(8_000)
    },
  )

  it('says what is too large when nothing can be taken away', async () => {
    const fitted = await fit(turns(4), { window: 2_000, system: 'word '.repeat(4_000) })
    expect(fitted.fits).toBe(false)
    expect(fitted.why).toMatch(/system prompt/)
    expect(fitted.messages).toEqual(turns(4))
  })

  it.each([undefined, 0, -5, Number.NaN, '8000'])('refuses %s for a window in one line', async (window) => {
    await expect(fit(turns(2), { window } as FitOptions)).rejects.toThrow(
      /^window: the context window of the model in tokens is needed, and it is /,
    )
  })

  it('refuses messages of another SDK in one line', async () => {
    const messages = [{ role: 'user', content: null }] as unknown as Message[]
    await expect(fit(messages, { window: 8_000 })).rejects.toThrow(/^message 1: content: is null/)
  })

  it('repairs a list that no provider would take, also when it is short, and says what it changed', async () => {
    const messages = [SYSTEM, user('go'), result('nobody-asked'), THOUGHT, user('on')]
    const fitted = await fit(messages, { window: 8_000 })
    expect(validate(fitted.messages.slice(1))).toEqual([])
    expect(fitted.result).toBeUndefined()
    expect(fitted.repairs).toEqual([
      { index: 2, change: 'drop-part', why: 'the result nobody-asked has no call' },
      { index: 3, change: 'drop-message', why: 'reasoning with nothing after it' },
    ])
    const again = await fit([...messages, user('more')], { window: 8_000, state: fitted.state })
    expect(again.repairs).toEqual(fitted.repairs)
    const next = await fit([...fitted.messages, user('more')], { window: 8_000, state: fitted.state })
    expect(next.repairs).toBeUndefined()
  })

  it.each<[unknown, RegExp]>([
    [
      { prompt_tokens: 5 },
      /^usage: has the keys of OpenAI's Chat Completions: pass \{ inputTokens: prompt_tokens, outputTo/,
    ],
    [
      { input_tokens: 5, output_tokens: 1 },
      /^usage: has the keys of OpenAI's Responses: pass \{ inputTokens: input_tokens,/,
    ],
    [
      { input_tokens: 5, cache_read_input_tokens: 1 },
      /^usage: has the keys of Anthropic: .* \+ cache_creation_input_tokens/,
    ],
    [{ promptTokenCount: 5 }, /^usage: has the keys of Google: pass \{ inputTokens: promptTokenCount,/],
    [
      { inputTokens: { total: 5 }, outputTokens: { total: 1 } },
      /^usage: inputTokens: is an object; usage is \{ inputTokens,/,
    ],
    [{ inputTokens: 5 }, /^usage: outputTokens: is missing/],
    [{ inputTokens: Number.NaN, outputTokens: 1 }, /^usage: inputTokens: is NaN/],
    [5, /^usage: is a number, not \{ inputTokens, outputTokens \}/],
  ])('refuses the usage %j in one line that names the right keys', async (usage, line) => {
    await expect(fit(turns(1), { window: 8_000, usage: usage as FitOptions['usage'] })).rejects.toThrow(line)
  })

  it('takes the usage of an AI SDK whose provider did not count as none', async () => {
    const usage = { inputTokens: undefined, outputTokens: undefined } as unknown as FitOptions['usage']
    const [counted, estimated] = [await fit(turns(3), { window: 8_000, usage }), await fit(turns(3), { window: 8_000 })]
    expect(counted.tokensBefore).toBe(estimated.tokensBefore)
  })

  it('refuses a state that was blown up without reading all of it', async () => {
    const { state } = await fit(turns(60, 800), { window: 8_000 })
    // To read all of it would take longer than anybody waits.
    let blown: object = {}
    for (let i = 0; i < 45; i++) blown = { a: blown, b: blown }
    const fitted = await fit(turns(60, 800), { window: 8_000, state: { ...state, record: blown } })
    expect(fitted.stateIgnored).toBe('state: is larger than any state of Pith')
    expect(fitted.fits).toBe(true)
  })

  it('keeps the first request when a state has no room for all that the user said', async () => {
    const demands = Array.from({ length: 300 }, (_, i) =>
      user(`Demand ${i}: ${`keep part ${i} as it is, `.repeat(20)}`),
    )
    const said = demands.flatMap((demand) => [demand, ...turns(1, 800)])
    const { state } = await fit(said, { window: 8_000 })
    const later = await fit([...said, ...turns(60, 800)], { window: 8_000, state: JSON.parse(JSON.stringify(state)) })
    expect(later.result?.compacted).toBe(true)
    expect(JSON.stringify(state)).not.toContain('Demand 1:')
    expect(JSON.stringify(later.messages)).toContain('Demand 0:')
  })

  it('says what it repaired in a list that it compacts', async () => {
    const fitted = await fit([...turns(60, 800), THOUGHT, user('on')], { window: 8_000 })
    expect(fitted.result?.compacted).toBe(true)
    expect(fitted.repairs).toMatchObject([{ index: 120, change: 'drop-message' }])
  })

  it('counts what was typed but is not said yet, and says the price', async () => {
    const pending = [user('word '.repeat(4_000))]
    const messages = turns(20, 800)
    expect((await fit(messages, { window: 8_000, pending })).result?.compacted).toBe(true)
    const model = { ...modelSaying({ type: 'text', text: SUMMARY }, FINISH), prices: { input: 3, output: 15 } }
    const fitted = await fit(turns(60, 800), { window: 8_000, summaryModels: [model], model: { prices: model.prices } })
    expect(fitted.result).toMatchObject({ compacted: true, cost: expect.any(Number) })
  })
})
