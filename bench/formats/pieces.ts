import { createReadStream } from 'node:fs'

/** The text of a file as it is read from the disk. */
export function pieces(path: string): AsyncIterable<string> {
  return createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })
}
