import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
} from 'node:zlib'

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

/** A body, decoded by the header `content-encoding`; undefined for an unknown coding. A body that was broken off is decoded up to there. */
export async function decodedBody(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  let body = bytes
  for (const coding of codings.toReversed()) {
    const decode = DECODERS[coding]
    if (decode === undefined) return undefined
    body = await decode(body)
  }
  return body
}

const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Promise<Buffer>) | undefined>> = {
  gzip: unzip,
  'x-gzip': unzip,
  deflate: (bytes) => promisify<Buffer, ZlibOptions, Buffer>(inflate)(bytes, CUT),
  br: (bytes) =>
    promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)(bytes, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: (bytes) =>
    promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress)(bytes, { finishFlush: constants.ZSTD_e_flush }),
}

/** Without this, a body that was broken off is an error. */
const CUT: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH }

function unzip(bytes: Buffer): Promise<Buffer> {
  return promisify<Buffer, ZlibOptions, Buffer>(gunzip)(bytes, CUT)
}
