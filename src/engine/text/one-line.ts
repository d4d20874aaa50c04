import { headOf } from './shorten.ts'
import { withoutEscapes } from './without-escapes.ts'

/** A text on one line of at most so many characters, without colours, with `…` where it was cut. Only what may be shown is looked at. */
export function oneLine(text: string, characters: number): string {
  const line = withoutEscapes(headOf(text, characters * 4 + 400))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4 + 400) return line
  return `${headOf(line, characters).trimEnd()}…`
}
