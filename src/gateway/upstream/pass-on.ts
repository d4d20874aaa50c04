import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A response that can be passed on. */
export type PassedResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders' | 'headers'>

/** The largest answer that is read. A larger one is passed on, too. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Passes a response on to the client as it comes, byte for byte. At its end, before the client can send its next request,
 * `onEnd` gets the bytes of the body; nothing when there were too many to hold.
 */
export async function passOn(
  response: PassedResponse,
  client: ServerResponse,
  onEnd: (bytes: Buffer | undefined) => void,
): Promise<void> {
  const { statusCode = 502, statusMessage, rawHeaders } = response
  client.sendDate = false
  client.writeHead(statusCode, statusMessage, passedHeaders(rawHeaders))
  client.flushHeaders()
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
    else chunks.length = 0
  })
  response.once('end', () => onEnd(size <= MOST_BYTES ? Buffer.concat(chunks) : undefined))
  await pipeline(response, client)
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
