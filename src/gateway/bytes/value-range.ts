import { type ByteRange, elementRanges, memberRanges } from './json-ranges.ts'

/** Where the value at a path of keys and positions stands, from the value that begins at `start` of valid JSON. */
export function valueRange(body: Buffer, start: number, path: readonly (string | number)[]): ByteRange | undefined {
  let range: ByteRange | undefined
  let from = start
  for (const step of path) {
    range = typeof step === 'string' ? memberRanges(body, from).get(step) : elementRanges(body, from).at(step)
    if (range === undefined) return undefined
    from = range.start
  }
  return range
}
