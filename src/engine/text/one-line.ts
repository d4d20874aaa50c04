import { headOf } from './shorten.ts'
import { withoutEscapes } from './without-escapes.ts'

/** A text on one line of at most so many characters, without colours, with `…` where it was cut. Only what may be shown is looked at. */
export function oneLine(text: string, characters: number): string {
  // Names and paths are many, and nearly all of them are one line already.
  if (text.length <= characters && PLAIN.test(text)) return text
  const line = withoutEscapes(headOf(text, characters * 4 + 400))
    .replace(SPACE, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4 + 400) return line
  return `${headOf(line, characters).trimEnd()}…`
}

const PLAIN = /^[!-~]*$/
const SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g
