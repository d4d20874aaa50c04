import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** A body, decoded by the header `content-encoding`; undefined for an unknown coding. */
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
