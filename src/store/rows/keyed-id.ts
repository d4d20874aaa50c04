import { createHash } from 'node:crypto'

/** The id that follows from a key: its hash in the form of a UUID. The same key gives the same id in every process. */
export function keyedId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
