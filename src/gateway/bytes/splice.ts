import { type ByteRange, elementRanges, memberRanges } from './json-ranges.ts'

/** A range of a body, and the text that replaces it. */
export type ByteEdit = ByteRange & { readonly text: string | Uint8Array }

/** The body with the edits made; everything else stays as it is, byte by byte. The edits do not overlap. */
export function splice(body: Buffer, edits: readonly ByteEdit[]): Buffer {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new RangeError('Two edits overlap')
    pieces.push(body.subarray(at, start), typeof text === 'string' ? Buffer.from(text) : text)
    at = end
  }
  return Buffer.concat([...pieces, body.subarray(at)])
}

/** The range of the value at a path of keys and positions. The path starts from the value that begins at `start` of valid JSON. */
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
