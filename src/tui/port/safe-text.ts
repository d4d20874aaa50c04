import { printable } from '../../engine/text/printable.ts'

/** A text for the screen: nothing in it moves the cursor or turns the direction. Colours are left out, tabs become spaces, other control characters can be seen. */
export function safeText(text: string): string {
  return printable(
    text
      .replace(/\r\n?/g, '\n')
      .replaceAll('\t', '  ')
      .replace(/\x1b\[[\d;:]*m/g, ''),
  )
}

/**
 * A text in which everything can be seen: characters without a picture of their own, such as an escape or a change of
 * direction, become their code (`\\u{1b}`). Tabs become spaces.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Joiners and selectors of emoji and of many scripts change only how their neighbours look. */
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\u200c\u200d\ufe0e\ufe0f]]/gv

/** The first line of a text, at most `most` characters long. */
export function firstLine(text: string, most: number): string {
  const line = safeText(text).trim().split('\n', 1)[0] ?? ''
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
