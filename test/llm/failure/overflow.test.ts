import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../../../src/llm/call/chat-model.ts'
import { overflowIn } from '../../../src/llm/failure/overflow.ts'
import { FALSE_FRIENDS, OVERFLOW_ROWS } from '../../../src/llm/failure/overflow-rows.ts'
import { ask, CALL, failureOf, finishOf, modelAt } from '../support/ask.ts'
import { anthropic, compatible, google, openai, type Protocol } from '../support/protocols.ts'
import { events, fails, serve } from '../support/server.ts'

const OF_THEIR_OWN = [anthropic, openai, google]

describe('an overflow', () => {
  it.each(OVERFLOW_ROWS)('of $provider is seen: $sample', async (row) => {
    const protocol = protocolOf(row.provider)
    const reply = row.status === undefined ? events([`data: ${row.sample}\n\n`]) : fails(row.status, row.sample)
    const { url, received } = await serve(reply)
    const failure = await failureOf(modelAt(url, protocol))
    expect(failure.kind).toBe('overflow')
    expect(received).toHaveLength(1)
    expect({ tokens: failure.tokens, limit: failure.limit }).toEqual(NUMBERS[OVERFLOW_ROWS.indexOf(row)] ?? {})
    expect(failure.text).not.toMatch(/[\n{]|Bad Request/)
  })

  it.each(OVERFLOW_ROWS)('of $provider is seen by its own row first: $sample', ({ sample, says }) => {
    expect(OVERFLOW_ROWS.find((row) => row.says.test(sample))?.says).toEqual(says)
  })

  it('is seen in a stream that began well, before and after output', async () => {
    const message = 'prompt is too long: 213462 tokens > 200000 maximum'
    for (const protocol of [anthropic, openai, google, compatible]) {
      for (const beginning of [[], protocol.beginning({ text: 'half' })]) {
        const { url } = await serve(events([...beginning, protocol.errorEvent(message)]))
        expect(await failureOf(modelAt(url, protocol))).toMatchObject({
          kind: 'overflow',
          tokens: 213_462,
          limit: 200_000,
        })
      }
    }
  })

  it('names its window even if it names nothing else', () => {
    const message = "This model's maximum context length is 16,384 tokens."
    expect(overflowIn({ status: 400, message, body: '' })).toEqual({ limit: 16_384 })
    // The answer is too long, not the conversation.
    const answer = `max_tokens is too large: 40960. ${message.replace('.', '')} and your request has 50 input tokens`
    expect(overflowIn({ status: 400, message: answer, body: '' })).toBeUndefined()
  })

  it('is seen in a status without a body', () => {
    expect(overflowIn({ status: 413, message: 'Payload Too Large', body: '' })).toEqual({})
  })

  it('is an empty answer that is reported as too long', async () => {
    const said = { finish: 'length', usage: { input: 4_096, output: 0 } } as const
    for (const protocol of [anthropic, openai, google, compatible]) {
      const { url } = await serve(events(protocol.answer(said)))
      expect((await failureOf(modelAt(url, protocol))).kind).toBe('overflow')
    }
  })

  it('is not an answer that is cut at its own limit, also when all of it was hidden reasoning', async () => {
    const cut = await serve(events(compatible.answer({ text: 'and so', finish: 'length' })))
    expect((await finishOf(modelAt(cut.url, compatible))).reason).toBe('length')
    const usage = { input: 50, output: 900, reasoning: 900 }
    const hidden = await serve(events(google.answer({ finish: 'length', usage })))
    expect((await finishOf(modelAt(hidden.url, google))).reason).toBe('length')
  })
})

describe('a false friend', () => {
  it.each(FALSE_FRIENDS)('of $provider is not an overflow: $sample', async ({ provider, status, sample }) => {
    const { url } = await serve(fails(status, sample))
    const failure = await failureOf(modelAt(url, protocolOf(provider)))
    expect(failure.kind).toBe(status === 400 ? 'bad-request' : 'rate-limit')
  })

  it('that can never be served is not tried again', async () => {
    const { url, received } = await serve(fails(429, FALSE_FRIENDS[0]?.sample))
    await ask(modelAt(url, openai))
    expect(received).toHaveLength(1)
  })

  it('is a small conversation that asks for too long an answer: to compact it would not help', async () => {
    const message =
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 141607 tokens (10535 of text input, 131072 in the output)."
    const { url } = await serve(fails(400, { error: { message, code: 400 } }))
    expect((await failureOf(modelAt(url, compatible))).kind).toBe('bad-request')
  })
})

describe('a local server that drops the beginning in silence', () => {
  const long: ModelCall = {
    ...CALL,
    messages: [{ role: 'user', content: Array.from({ length: 2_000 }, (_, i) => `line ${i} of a log`).join('\n') }],
  }

  it('is seen by what it counted: half of its context and two', async () => {
    const { url } = await serve(events(compatible.answer({ text: 'sure', usage: { input: 2_050, output: 1 } })))
    const failure = await failureOf(modelAt(url, { ...compatible, provider: 'ollama' }), long)
    expect(failure).toMatchObject({ kind: 'overflow', limit: 4_096 })
    expect(failure.tokens).toBeGreaterThan(8_000)
    expect(failure.text).toContain('read only 2,050 of about')
  })

  it('is not suspected when it counted about what was sent, or counted nothing', async () => {
    for (const input of [14_000, 0]) {
      const { url } = await serve(events(compatible.answer({ text: 'sure', usage: { input, output: 1 } })))
      await finishOf(modelAt(url, { ...compatible, provider: 'ollama' }), long)
    }
  })

  it('is not a provider that counts cached tokens apart', async () => {
    const { url } = await serve(events(compatible.answer({ text: 'sure', usage: { input: 2_050, output: 1 } })))
    await finishOf(modelAt(url, compatible), long)
  })
})

function protocolOf(provider: string): Protocol {
  return OF_THEIR_OWN.find((protocol) => protocol.provider === provider) ?? compatible
}

/** The sizes in each row, in the order of the rows. */
const NUMBERS = [
  { tokens: 213_462, limit: 200_000 },
  { tokens: 188_240, limit: 200_000 },
  {},
  {},
  {},
  { tokens: 1_196_265, limit: 1_048_575 },
  { tokens: 1_196_265, limit: 1_048_576 },
  {},
  { tokens: 537_812, limit: 131_072 },
  { tokens: 138_535, limit: 131_072 },
  { tokens: 130_764, limit: 131_072 },
  { tokens: 40_210, limit: 32_768 },
  { tokens: 28_673, limit: 32_768 },
  { limit: 8_192 },
  { tokens: 42_328, limit: 40_000 },
  {},
  { tokens: 65_673, limit: 32_768 },
  { tokens: 516_368, limit: 262_144 },
  { tokens: 8_204, limit: 8_192 },
  { tokens: 138_902, limit: 131_071 },
  { tokens: 14_429, limit: 8_192 },
  { tokens: 2_285, limit: 2_048 },
  { tokens: 10_136, limit: 7_866 },
  { tokens: 10_136, limit: 4_096 },
  {},
  {},
  { tokens: 291_351, limit: 262_144 },
  {},
  { tokens: 138_898, limit: 64_000 },
  {},
  { tokens: 265_330, limit: 262_144 },
  {},
]
