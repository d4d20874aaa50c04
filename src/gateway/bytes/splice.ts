import type { ByteRange } from './json-ranges.ts'

/** A range of a body, and what stands there instead. */
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
