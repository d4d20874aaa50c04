import { elementRanges, memberRanges, type TextRange } from './json-ranges.ts'

/** Where the value at a path of keys and positions stands, from the value that begins at `start` of a valid JSON text. */
export function valueRange(text: string, start: number, path: readonly (string | number)[]): TextRange | undefined {
  let range: TextRange | undefined
  let from = start
  for (const step of path) {
    range = typeof step === 'string' ? memberRanges(text, from).get(step) : elementRanges(text, from).at(step)
    if (range === undefined) return undefined
    from = range.start
  }
  return range
}
