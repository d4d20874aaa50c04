import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownEvents } from '../../../src/llm/call/known-events.ts'
import { ask, modelAt } from '../support/ask.ts'
import { anthropic, compatible, google, openai } from '../support/protocols.ts'
import { events, serve } from '../support/server.ts'

const event = (data: object) => `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`
const NEW_EVENT = event({ type: 'mood_update', mood: 'fine' })
const NEW_BLOCK = [
  event({ type: 'content_block_start', index: 7, content_block: { type: 'hologram', data: '' } }),
  event({ type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'not for us' } }),
  event({ type: 'content_block_stop', index: 7 }),
]
const NEW_DELTA = event({ type: 'content_block_delta', index: 0, delta: { type: 'glow_delta', glow: 3 } })

/** An answer with things in it that the protocol does not have yet. */
function withNews(): string[] {
  const all = anthropic.answer({ text: 'Here it is.' })
  const at = all.findIndex((each) => each.includes('content_block_delta'))
  return [...all.slice(0, at), NEW_EVENT, NEW_DELTA, ...NEW_BLOCK, ...all.slice(at)]
}

async function filtered(text: string, sizes: readonly number[]): Promise<{ known: string; unknown: string[] }> {
  const unknown: string[] = []
  const bytes = new TextEncoder().encode(text)
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let from = 0, n = 0; from < bytes.length; n++) {
        const size = sizes[n % sizes.length] ?? 1
        controller.enqueue(bytes.subarray(from, from + size))
        from += size
      }
      controller.close()
    },
  })
  return { known: await new Response(source.pipeThrough(knownEvents((type) => unknown.push(type)))).text(), unknown }
}

describe('what Anthropic adds tomorrow', () => {
  it('is skipped: the answer is kept, once, and the user is notified once', async () => {
    const { url, received } = await serve(events(withNews()))
    const model = modelAt(url, anthropic)
    const first = await ask(model)
    expect(first.at(-1)).toMatchObject({
      type: 'finish',
      message: { content: [{ type: 'text', text: 'Here it is.' }] },
    })
    const notices = first.flatMap((each) => (each.type === 'notice' ? [each.text] : []))
    expect(notices).toEqual([expect.stringMatching(/`mood_update`, `glow_delta`, `hologram`/)])
    expect((await ask(model)).some((each) => each.type === 'notice')).toBe(false)
    expect(received).toHaveLength(2)
  })

  it('goes, and everything else stays byte for byte, however the bytes come', async () => {
    const plain = anthropic.answer({ text: 'Grüße, 你好 👋', reasoning: 'Hm.' }).join('')
    const text = withNews().join('') + plain
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        fc.boolean(),
        async (sizes, crlf) => {
          const ends = (each: string) => (crlf ? each.replaceAll('\n', '\r\n') : each)
          const { known, unknown } = await filtered(ends(text), sizes)
          expect(known).toBe(ends(anthropic.answer({ text: 'Here it is.' }).join('') + plain))
          expect(unknown).toEqual(['mood_update', 'glow_delta', 'hologram'])
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('what other providers add tomorrow', () => {
  it.each([
    { protocol: openai, news: 'data: {"type":"response.mood.updated","mood":"fine","sequence_number":9}\n\n' },
    {
      protocol: openai,
      news: 'data: {"type":"response.output_item.added","output_index":7,"item":{"type":"hologram","id":"h_1"}}\n\n',
    },
    {
      protocol: compatible,
      news: 'data: {"id":"c1","model":"m","mood":1,"choices":[{"index":0,"delta":{"glow":3}}]}\n\n',
    },
    {
      protocol: google,
      news: 'data: {"candidates":[{"content":{"role":"model","parts":[{"hologram":{"data":"x"}}]}}]}\n\n',
    },
  ])('is read past over $protocol.kind', async ({ protocol, news }) => {
    const all = protocol.answer({ text: 'Here it is.' })
    const { url } = await serve(events([...all.slice(0, 1), news, ...all.slice(1)]))
    expect((await ask(modelAt(url, protocol))).at(-1)).toMatchObject({
      type: 'finish',
      message: { content: [{ type: 'text', text: 'Here it is.' }] },
    })
  })
})
