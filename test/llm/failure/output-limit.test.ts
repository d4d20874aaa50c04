import { describe, expect, it } from 'vitest'
import { OUTPUT_ROWS } from '../../../src/llm/failure/output-rows.ts'
import { ask, CALL, failureOf, finishOf, modelAt } from '../support/ask.ts'
import { anthropic, compatible, google, openai, PROTOCOLS, type Protocol } from '../support/protocols.ts'
import { events, fails, type Json, serve } from '../support/server.ts'

const TOO_LONG = { ...CALL, maxOutputTokens: 1_000_000 }
const LIMITS = [64_000, 4_096, 16_384, 65_536, 8_192, 8_192, 29_323]

describe('an answer longer than the provider gives', () => {
  it.each(OUTPUT_ROWS)('is asked for again, shorter, when $provider refuses it: $sample', async (row) => {
    const protocol = protocolOf(row.provider)
    const { url, received } = await serve(fails(400, row.sample), events(protocol.answer({ text: 'fine' })))
    const all = await ask(modelAt(url, protocol), TOO_LONG)
    expect(all.at(-1)?.type).toBe('finish')
    expect(received.map(({ body }) => outputTokens(body))).toEqual([1_000_000, LIMITS[OUTPUT_ROWS.indexOf(row)]])
  })

  it('is asked for again when it and the request do not fit together', async () => {
    const message =
      "This model's maximum context length is 32000 tokens. However, you requested 32051 tokens (2613 in the messages, 29438 in the completion)."
    const { url, received } = await serve(
      fails(400, { error: { message } }),
      events(compatible.answer({ text: 'fine' })),
    )
    const model = modelAt(url, compatible)
    await finishOf(model, { ...CALL, maxOutputTokens: 29_438 })
    expect(received.map(({ body }) => outputTokens(body))).toEqual([29_438, 32_000 - 2_613 - 64])
    // That was about one request: the next one may be shorter.
    await finishOf(model, { ...CALL, maxOutputTokens: 29_438 })
    expect(outputTokens(received.at(-1)?.body)).toBe(29_438)
  })

  it('is not asked for again when the shorter one is refused too', async () => {
    const { url, received } = await serve(fails(400, OUTPUT_ROWS[1]?.sample))
    expect((await failureOf(modelAt(url, compatible), TOO_LONG)).kind).toBe('bad-request')
    expect(received).toHaveLength(2)
  })

  it.each(PROTOCOLS)('is learned over $kind', async (protocol) => {
    const { url, received } = await serve(fails(400, OUTPUT_ROWS[1]?.sample), events(protocol.answer({ text: 'fine' })))
    const model = modelAt(url, protocol)
    await finishOf(model, TOO_LONG)
    expect(model.info.maxOutput).toBe(4_096)
    await finishOf(model, TOO_LONG)
    expect(received.map(({ body }) => outputTokens(body))).toEqual([1_000_000, 4_096, 4_096])
  })
})

function protocolOf(provider: string): Protocol {
  return [anthropic, openai, google].find((protocol) => protocol.provider === provider) ?? compatible
}

function outputTokens(body: Json): number {
  return (
    body.max_tokens ?? body.max_output_tokens ?? body.max_completion_tokens ?? body.generationConfig?.maxOutputTokens
  )
}
