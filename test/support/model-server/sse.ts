/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

const PIECE_CHARACTERS = 48

/** A text in the pieces that a model streams it in; never in the middle of a character. */
export function pieces(text: string): string[] {
  const characters = [...text]
  const count = Math.ceil(characters.length / PIECE_CHARACTERS)
  return Array.from({ length: count }, (_, i) =>
    characters.slice(i * PIECE_CHARACTERS, (i + 1) * PIECE_CHARACTERS).join(''),
  )
}
