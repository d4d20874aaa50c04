import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { printable } from '../../model/text.ts'

/**
 * A drawn line that is safe for the terminal. Colours, links and the mark of the cursor pass; any other control character is
 * shown as its code. Texts are made safe when they enter the state. This is the last check, in case one was forgotten there.
 */
export function guardedLine(line: string, width: number): string {
  if (!SUSPECT.test(line)) return line
  const pieces = line.split(OWN).map((piece, i) => (i % 2 === 0 ? printable(piece) : piece))
  return truncateToWidth(pieces.join(''), width, '')
}

/** A quick test: colours have no control characters except their escape, so nearly every line passes without more work. */
const SUSPECT = /[\0-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]|\x1b(?!\[[\d;:]*m)/
const OWN = /(\x1b\[[\d;:]*m|\x1b\]8;[^\0-\x1f\x7f-\x9f]*(?:\x07|\x1b\\)|\x1b_pi:c\x07)/
