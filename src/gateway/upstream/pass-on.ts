import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { passedHeaders } from './pass-headers.ts'

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
