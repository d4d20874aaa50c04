import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { graphemes, printable } from '../../model/text.ts'

/**
 * A text that is safe for the screen: nothing in it moves the cursor or changes the direction. Colours are removed, tabs become
 * spaces, other control characters are shown as codes, and all terminals agree about its width.
 */
export function safeText(text: string): string {
  return singleEmoji(
    printable(
      text
        .replace(/\r\n?/g, '\n')
        .replaceAll('\t', '  ')
        .replace(/\x1b\[[\d;:]*m/g, ''),
    ),
  )
}

/**
 * Removes the characters that join and colour emoji: a family becomes four people. Terminals disagree about the width of joined
 * emoji, and a line that is wider than we think breaks the screen.
 */
function singleEmoji(text: string): string {
  return text.replace(/(?<=\p{Extended_Pictographic})[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]+/gu, '')
}

/**
 * A text in which every character is visible: invisible characters, such as an escape or a change of direction, become their
 * code (`\\u{1b}`). Tabs become spaces.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Invisible characters, except joiners and selectors: those only change how their neighbours look. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\u200c\u200d\ufe0e\ufe0f]]/gv

/** The first line of a text, at most `most` columns wide. */
export function firstLine(text: string, most: number): string {
  return cutToColumns(safeText(text).trim().split('\n', 1)[0] ?? '', most)
}

/** The first line of a text, like `firstLine`. It is not cut inside a word, unless the word alone is too long. */
export function firstWholeWords(text: string, most: number): string {
  const cut = firstLine(text, most)
  const [whole, end] = [firstLine(text, Number.POSITIVE_INFINITY), cut.lastIndexOf(' ')]
  return cut === whole || end === -1 ? cut : `${cut.slice(0, end)} …`
}

/** A text of at most `most` columns. No visible character is cut in two. */
export function cutToColumns(text: string, most: number): string {
  if (visibleWidth(text) <= most) return text
  let cut = ''
  let columns = 1
  for (const { segment } of graphemes(text)) {
    columns += visibleWidth(segment)
    if (columns > most) break
    cut += segment
  }
  return `${cut}…`
}
