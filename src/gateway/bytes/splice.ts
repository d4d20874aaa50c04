import type { TextRange } from './json-ranges.ts'

/** A range of a text, and what stands there instead. */
export type TextEdit = TextRange & { readonly text: string }

/** The text with the edits made; everything else stays as it is, character by character. The edits do not overlap. */
export function splice(text: string, edits: readonly TextEdit[]): string {
  let spliced = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) throw new RangeError('Two edits overlap')
    spliced += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return spliced + text.slice(at)
}
