import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** The body of a request: whole, or, when it is larger than the limit, what was read and the stream that has the rest. */
export type Body = Uint8Array | { readonly head: readonly Uint8Array[]; readonly rest: Readable }

/** Reads a body up to a limit. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = () => {
      request.off('data', take).off('end', end).off('error', reject).off('close', broken)
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= limitBytes) return
      stop()
      request.pause()
      resolve({ head: chunks, rest: request })
    }
    const end = () => {
      stop()
      resolve(Buffer.concat(chunks))
    }
    const broken = () => reject(new Error('the client went away'))
    request.on('data', take).on('end', end).on('error', reject).on('close', broken)
  })
}
