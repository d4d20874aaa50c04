import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { MOST_HEADER_BYTES } from './pass-on.ts'
import { proxiedAgent, type TunnelOptions } from './proxied-agent.ts'
import type { Body } from './read-body.ts'

/** A request as it leaves: its headers are raw, name and value in turn. */
export type UpstreamRequest = {
  readonly method: string
  readonly address: URL
  readonly headers: readonly string[]

  readonly body: Body
  readonly signal: AbortSignal
}

const plainAgent = new HttpAgent({ keepAlive: true })

/** Sends a request and waits for the head of the response. Nothing of it is decoded. */
export async function sendUpstream(request: UpstreamRequest): Promise<IncomingMessage> {
  request.signal.throwIfAborted()
  const first = attempt(request)
  try {
    return await first.response
  } catch (error) {
    // The provider may close an idle connection at the moment in which we use it again. The request itself is fine.
    if (!first.sent.reusedSocket || !isReset(error) || !isWhole(request.body) || request.signal.aborted) throw error
    return attempt(request).response
  }
}

function attempt({ method, address, headers, body, signal }: UpstreamRequest): {
  sent: ClientRequest
  response: Promise<IncomingMessage>
} {
  const isSecure = address.protocol === 'https:'
  const opened: TunnelOptions['opened'] = {}
  const options: TunnelOptions = {
    method,
    agent: isSecure ? proxiedAgent(address) : plainAgent,
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    // Node adds no header of its own to a raw list, so the framing of the body must be in it.
    headers: ['Host', address.host, ...headers, ...framing(headers, method, body)],
    opened,
  }
  const sent = isSecure ? httpsRequest(address, options) : httpRequest(address, options)
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.on('error', reject)
    // Node ends an aborted request only when it has a socket. Behind a proxy it gets one when the tunnel is ready.
    const giveUp = () => {
      opened.connection?.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp)
    for (const end of ['socket', 'close']) sent.once(end, () => signal.removeEventListener('abort', giveUp))
  })
  if (isWhole(body)) sent.end(body)
  else {
    for (const chunk of body.head) sent.write(chunk)
    body.rest.pipe(sent)
  }
  return { sent, response }
}

function framing(headers: readonly string[], method: string, body: Body): string[] {
  if (headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length')) return []
  if (!isWhole(body)) return ['Transfer-Encoding', 'chunked']
  return body.length === 0 && method !== 'POST' && method !== 'PUT' ? [] : ['Content-Length', String(body.length)]
}

function isWhole(body: Body): body is Uint8Array {
  return body instanceof Uint8Array
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
