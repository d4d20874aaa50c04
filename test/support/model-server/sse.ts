import { full } from '../full.ts'

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

const PIECE_CHARACTERS = 48
/** Most of what a client does for an answer it does for each piece of it: long texts come in as many as short ones. */
const MOST_PIECES = full ? Number.POSITIVE_INFINITY : 6

/** A text in the pieces that a model streams it in; never in the middle of a character. */
export function pieces(text: string): string[] {
  const characters = [...text]
  const size = Math.max(PIECE_CHARACTERS, Math.ceil(characters.length / MOST_PIECES))
  const count = Math.ceil(characters.length / size)
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''))
}
