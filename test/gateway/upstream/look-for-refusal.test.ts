import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/gateway/modes/mode.ts'
import { gatewayWorld, opened, upstreamServer } from '../support/world.ts'

const CREATED = 'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}\n\n'
const FAILED = 'event: response.failed\ndata: {"type":"response.failed"}\n\n'

/** Looks at every refusal, and knows nothing better. */
const looking: Mode = {
  name: 'answer',
  decide: async () => ({ kind: 'forward', why: 'looked at', again: async () => undefined }),
}

type Sent = { readonly status?: number; readonly text: string; readonly breaksOff?: boolean }

const SENT: Readonly<Record<string, Sent>> = {
  'a stream that ends behind its greeting': { text: CREATED },
  'a stream that ends in its greeting': { text: CREATED.slice(0, 40) },
  'a stream that ends behind a greeting with other line ends': { text: CREATED.replaceAll('\n', '\r\n') },
  'a stream that breaks off behind its greeting': { text: CREATED, breaksOff: true },
  'a stream that fails': { text: CREATED + FAILED },
  'a stream that breaks off while it fails': { text: CREATED + FAILED.slice(0, 40), breaksOff: true },
  'a refusal': { status: 400, text: '{"error":{"message":"no"}}' },
  'a refusal that breaks off': { status: 400, text: '{"error":', breaksOff: true },
}

describe('a response that is looked at', () => {
  it.each(Object.entries(SENT))('reaches the client as the provider sent it: %s', async (_, sent) => {
    const { status = 200, text, breaksOff = false } = sent
    const upstream = await upstreamServer((_request, response) => {
      const type = status === 200 ? 'text/event-stream' : 'application/json'
      response.writeHead(status, { 'content-type': type })
      response.write(text, () => (breaksOff ? response.destroy() : response.end()))
    })
    const { url } = await gatewayWorld(upstream, { mode: looking })

    expect(await received(`${url}/v1/responses`)).toEqual({ status, text, breaksOff })
  })
})

async function received(url: string): Promise<Required<Sent>> {
  const response = await opened(url, { body: '{}' })
  const { statusCode: status = 0 } = response
  let text = ''
  try {
    for await (const chunk of response) text += chunk
    return { status, text, breaksOff: false }
  } catch {
    return { status, text, breaksOff: true }
  }
}
