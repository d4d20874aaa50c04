import { describe, expect, test } from 'vitest'
import type { Charge } from '../../src/gateway/recording/bill.ts'
import { call, gatewayWorld, upstreamServer } from './support/world.ts'

const WORDS = 'The user wants all of it. '.repeat(800)
const ASKED = { role: 'user', content: WORDS }
const SAID = { role: 'assistant', content: 'Done.' }
const MORE = { role: 'user', content: 'And now?' }
const BEGUN = [ASKED, SAID, MORE]
const TOOL = { name: 'read', input_schema: { type: 'object' } }

type Sent = { readonly [key: string]: unknown; readonly messages: readonly object[] }

describe('the bill of a gateway', () => {
  test('has the tokens and the price of each request, and none for a list of models', async () => {
    const charges = await billed([{ messages: [ASKED] }], { cached: [0] })

    expect(charges).toMatchObject([
      { agent: 'an-agent', requests: 1, calls: [{ usage: { inputTokens: 10_000, outputTokens: 5 }, cost: 0.01 }] },
    ])
  })

  test('has no price for a subscription', async () => {
    const headers = { 'anthropic-beta': 'claude-code-20250219,oauth-2025-04-20' }
    const [charge] = await billed([{ messages: [ASKED] }], { cached: [0], headers })

    expect(charge?.calls[0]).toMatchObject({ usage: { inputTokens: 10_000 }, cost: undefined })
  })

  test.each<[string, Sent, string]>([
    ['the tools changed', { messages: BEGUN, tools: [TOOL] }, 'the tools changed'],
    ['the system prompt changed', { messages: BEGUN, system: 'Be brief.' }, 'the system prompt changed'],
    ['another model', { messages: BEGUN, model: 'claude-x-2' }, 'another model'],
    ['nothing visible', { messages: BEGUN }, 'no reason that Pith can see'],
  ])('explains a cache miss: %s', async (_, second, guess) => {
    const [, charge] = await billed([{ messages: [ASKED] }, second], { cached: [0, 0] })

    expect(charge?.miss).toEqual({ tokens: 10_000, guess, reported: undefined })
  })

  test('takes moved marks of the cache for no change, and a beginning in the cache for no miss', async () => {
    const marked = { ...ASKED, content: [{ type: 'text', text: WORDS, cache_control: { type: 'ephemeral' } }] }
    const plain = { ...ASKED, content: [{ type: 'text', text: WORDS }] }
    const [, missed] = await billed([{ messages: [marked] }, { messages: [plain, SAID, MORE] }], { cached: [0, 0] })
    expect(missed?.miss?.guess).toBe('no reason that Pith can see')

    const [, hit] = await billed([{ messages: [ASKED] }, { messages: BEGUN }], { cached: [0, 9_800] })
    expect(hit?.miss).toBeUndefined()
  })

  test('sees a pause that is longer than the cache lasts', async () => {
    const [, charge] = await billed([{ messages: [ASKED] }, { messages: BEGUN }], {
      cached: [0, 0],
      pauseMs: 7 * 60_000,
    })

    expect(charge?.miss?.guess).toBe('a pause of 7 minutes')
  })

  test("has the provider's own reason next to ours", async () => {
    const diagnostics = { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 9_000 } }
    const second = { messages: BEGUN, tools: [TOOL] }
    const [, charge] = await billed([{ messages: [ASKED] }, second], { cached: [0, 0], diagnostics })

    expect(charge?.miss).toEqual({ tokens: 9_000, guess: 'the tools changed', reported: 'tools_changed' })
  })

  test('reports no misses of a provider without a cache', async () => {
    const [, charge] = await billed([{ messages: [ASKED] }, { messages: BEGUN, tools: [TOOL] }], { cached: [] })

    expect(charge?.miss).toBeUndefined()
  })
})

type Provider = {
  /** The tokens that each answer reports as cached; the rest of the prompt is written to the cache. Empty: no cache. */
  readonly cached: readonly number[]
  readonly diagnostics?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly pauseMs?: number
}

/** The charges for these requests, one after the other, at a provider of Anthropic's protocol. */
async function billed(
  sent: readonly Sent[],
  { cached, diagnostics, headers, pauseMs = 0 }: Provider,
): Promise<Charge[]> {
  const charges: Charge[] = []
  let asked = -1
  const upstream = await upstreamServer((request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[]}')
    asked++
    const read = cached[asked] ?? 0
    const write = cached.length === 0 ? 0 : 10_000 - read
    response.end(
      JSON.stringify({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Done.' }],
        usage: {
          input_tokens: 10_000 - read - write,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: write,
          output_tokens: 5,
        },
        ...(asked === 1 ? { diagnostics } : {}),
      }),
    )
  })
  let now = Date.UTC(2026, 10, 18)
  const prices = { input: 1, output: 0 }
  const bill = { agent: 'an-agent', pricesOf: () => prices, add: (charge: Charge) => charges.push(charge) }
  const { url } = await gatewayWorld(upstream, { bill, clock: () => now })
  await call(`${url}/v1/models`, { method: 'GET' })
  for (const [i, request] of sent.entries()) {
    const body = JSON.stringify({ model: 'claude-x', ...request })
    await call(`${url}/v1/messages`, { body, headers })
    await expect.poll(() => charges.length).toBe(i + 1)
    now += 1_000 + pauseMs
  }
  return charges
}
