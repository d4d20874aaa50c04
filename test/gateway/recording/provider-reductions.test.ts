import { describe, expect, it } from 'vitest'
import { call, gatewayWorld, upstreamServer } from '../support/world.ts'

describe('an answer for which the provider reduced the context', () => {
  it('is recorded with what was cleared and with the cost of a compaction, and the status of the gateway shows it', async () => {
    const answer = {
      type: 'message',
      content: [
        { type: 'compaction', content: 'So far.' },
        { type: 'text', text: 'Done.' },
      ],
      usage: {
        input_tokens: 900,
        output_tokens: 5,
        iterations: [
          { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
          { type: 'message', input_tokens: 900, output_tokens: 5 },
        ],
      },
      context_management: {
        applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 }],
      },
    }
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const { url, store, requests } = await gatewayWorld(upstream)
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Do it' }] })
    await call(`${url}/v1/messages`, { body })
    await expect
      .poll(async () => (await requests())[0]?.why)
      .toBe('observed; the provider cleared 8 tool uses (50,000 tokens), the provider compacted it')
    const { sessions } = await store.sessions()
    const { entries } = await store.entries(sessions[0]?.id ?? '')
    expect(entries.slice(1)).toMatchObject([
      { type: 'message', reduced: [{ what: 'tool uses', count: 8, tokens: 50_000 }, { what: 'compacted' }] },
      { type: 'void', usage: { inputTokens: 180_000, outputTokens: 3_500 } },
    ])
  })
})
