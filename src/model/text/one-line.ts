import { headOf } from './shorten.ts'
import { withoutEscapes } from './without-escapes.ts'

/** A text on one line of at most so many characters, without colours, with `…` where it was cut. Only what may be shown is looked at. */
export function oneLine(text: string, characters: number): string {
  // Nearly all texts are one line already.
  if (text.length <= characters && isPlainLine(text)) return text
  const line = withoutEscapes(headOf(text, characters * 4 + 400))
    .replace(SPACE, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4 + 400) return line
  return `${headOf(line, characters).trimEnd()}…`
}

/** True for printable ASCII with single spaces inside. Among words a bracket may begin a colour. Patterns take five times as long. */
function isPlainLine(text: string): boolean {
  let before = SPACE_CODE
  let hasSpace = false
  let hasBracket = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === SPACE_CODE) {
      if (before === SPACE_CODE) return false
      hasSpace = true
    } else if (code < SPACE_CODE || code > LAST_PRINTABLE) return false
    else if (code === BRACKET_CODE) hasBracket = true
    before = code
  }
  return text === '' || (before !== SPACE_CODE && !(hasSpace && hasBracket))
}

const SPACE_CODE = 0x20
const BRACKET_CODE = 0x5b
const LAST_PRINTABLE = 0x7e
const SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g
