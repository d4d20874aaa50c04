import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished, type Readable } from 'node:stream'

/** A response that can be passed on. */
export type PassedResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders' | 'headers'>

/** The largest answer that is read. A larger one is passed on, too. */
const MOST_BYTES = 64 * 1024 * 1024

/** How long the rest of an answer may take after its client has gone. */
const REST_MS = 2_000

/** The bytes of an answer; none when there were too many to hold. `isCut`: the client or the provider left before its end. */
export type HeardAnswer = { readonly bytes: Buffer | undefined; readonly isCut: boolean }

type Listener = {
  /** Takes each piece. True when the answer is complete: some clients hang up then, and the stream ends later. */
  readonly isLast: (piece: Buffer) => boolean
  /** True if the rest of an answer is worth a moment, although its client has gone. */
  readonly wantsRest: (bytes: Buffer) => boolean
  /** Called once, before the client can send its next request. */
  readonly onEnd: (heard: HeardAnswer) => void
  /** Ends the request to the provider. */
  readonly stop: () => void
  /** How long the rest may take. */
  readonly restMs?: number
}

/**
 * Passes a response on to the client as it comes, byte for byte. Resolves when the listener has heard all that it can, and
 * rejects when the provider broke off.
 */
export function passOn(response: PassedResponse, client: ServerResponse, listener: Listener): Promise<void> {
  const { statusCode = 502, statusMessage, rawHeaders } = response
  if (!client.headersSent) {
    client.sendDate = false
    client.writeHead(statusCode, statusMessage, passedHeaders(rawHeaders))
    client.flushHeaders()
  } else if (!isPlainStream(response)) {
    // The client waits for a stream that has begun: it cannot get anything else. If it is broken off, the client tries again.
    listener.onEnd({ bytes: undefined, isCut: true })
    listener.stop()
    return Promise.reject(new Error(`it answered ${statusCode} when the client’s stream had begun`))
  }
  const chunks: Buffer[] = []
  let size = 0
  let isHeard = false
  const bytes = () => (size <= MOST_BYTES ? Buffer.concat(chunks) : undefined)
  const hear = (isCut: boolean) => {
    if (isHeard) return
    isHeard = true
    listener.onEnd({ bytes: bytes(), isCut })
    chunks.length = 0
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => {
    hear(true)
    listener.stop()
    resolve()
  }
  const leave = () => {
    if (client.writableFinished || response.readableEnded) return
    response.unpipe(client)
    const isMissing = !isHeard && listener.wantsRest(bytes() ?? Buffer.alloc(0))
    if (!isHeard && !isMissing) return stop()
    // The rest is a few bytes. With them, the connection to the provider can be used again.
    const timer = setTimeout(stop, listener.restMs ?? REST_MS)
    response.once('close', () => clearTimeout(timer))
    response.resume()
    if (isHeard) resolve()
  }
  // Before the pipe gets a piece: what completes the answer must be in the queue before the client has it.
  response.on('data', (chunk: Buffer) => {
    if (isHeard) return
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
    else chunks.length = 0
    if (listener.isLast(chunk)) hear(false)
  })
  finished(response, { writable: false }, (error) => {
    hear(error != null)
    if (error == null || client.closed) return resolve()
    client.destroy()
    reject(error)
  })
  if (client.closed) leave()
  else client.once('close', leave)
  // A client that resets its connection closes it, too.
  client.on('error', () => undefined)
  response.pipe(client)
  return promise
}

/** True for an answer that is an event stream and can be read while it is passed on. */
export function isPlainStream({ statusCode, headers }: Pick<PassedResponse, 'statusCode' | 'headers'>): boolean {
  const isStream = /^text\/event-stream/.test(headers['content-type'] ?? '')
  return statusCode === 200 && isStream && headers['content-encoding'] === undefined
}

/** The most bytes of the headers of a message. Providers accept more than Node does by default. */
export const MOST_HEADER_BYTES = 128 * 1024

/** Headers that belong to one connection, and those that Node writes itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The raw headers of a message that are passed on, as they were written: name, value, name, value, … */
export function passedHeaders(raw: readonly string[], without: readonly string[] = []): string[] {
  const passed: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i], raw[i + 1]]
    const key = name.toLowerCase()
    if (!OF_CONNECTION.has(key) && !without.includes(key)) passed.push(name, value)
  }
  return passed
}
