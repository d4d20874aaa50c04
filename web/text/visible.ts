/** A piece of a text. A mark is the code of an invisible character that would change how the text looks. */
export type Piece = { readonly text: string; readonly isMark: boolean }

const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

/** Splits a text at its invisible characters: control characters, and marks that change the direction. */
export function visiblePieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const plain = text.replace(/\r\n?/g, '\n')
  for (const { index, 0: mark } of plain.matchAll(UNSEEN)) {
    if (isJoiner(plain, index)) continue
    if (index > from) pieces.push({ text: plain.slice(from, index), isMark: false })
    pieces.push({ text: nameOf(mark), isMark: true })
    from = index + mark.length
  }
  if (from < plain.length) pieces.push({ text: plain.slice(from), isMark: false })
  return pieces
}

/** A text on one line for lists and titles, without invisible characters and cut to a length. */
export function visibleLine(text: string, most = 240): string {
  // Reads only ten times the length: a text of megabytes costs no more than a short one.
  const line = text
    .slice(0, most * 10)
    .replace(UNSEEN, (mark, index: number, all: string) => (isJoiner(all, index) ? mark : ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/** The same, cut in the middle: two long paths often differ only at their ends. */
export function visibleEnds(text: string, most: number): string {
  const line = visibleLine(text, 2_000)
  if (line.length <= most) return line
  const start = Math.floor(most / 3)
  return `${line.slice(0, start)}…${line.slice(line.length - (most - start - 1))}`
}

/** True for the two characters that join emoji and letters of several scripts. */
function isJoiner(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === 0x200c || code === 0x200d
}

function nameOf(mark: string): string {
  const code = mark.charCodeAt(0)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The name of a session on the screen: its title, or the first words that the user typed. */
export function sessionName(session: { title?: string; first_words?: string }, most: number): string {
  return visibleLine(session.title ?? session.first_words ?? '', most) || 'Untitled'
}
