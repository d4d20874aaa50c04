import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** A body as it was before it was sent, by the header `content-encoding`; undefined for a coding that nobody knows. */
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
  gzip: promisify<Buffer, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, Buffer>(gunzip),
  deflate: promisify<Buffer, Buffer>(inflate),
  br: promisify<Buffer, Buffer>(brotliDecompress),
  zstd: promisify<Buffer, Buffer>(zstdDecompress),
}
