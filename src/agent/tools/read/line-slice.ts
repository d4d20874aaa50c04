/** Which lines are wanted, and how much of them at most. */
export type LineRange = {
  /** The first line, counted from 1. */
  readonly offset: number
  readonly limit: number
  readonly widthCharacters: number
  /** Of all lines together, with their numbers; the first is shown whatever its length. */
  readonly characters: number
}

/** Some lines of a text. `more` says that others follow; `passed` how many lines lie before the end of the slice. */
export type LineSlice = { readonly lines: readonly string[]; readonly more: boolean; readonly passed: number }

/** The lines of a range, from bytes as they come. It stops at the end of the range, and a long line is never held as a whole. */
export async function lineSlice(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  range: LineRange,
): Promise<LineSlice> {
  const slice = new Slice(range)
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      if (slice.full) return slice.end(true)
      const newline = chunk.indexOf(NEWLINE, start)
      slice.take(chunk.subarray(start, newline === -1 ? chunk.length : newline))
      if (newline !== -1) slice.endLine()
      start = newline === -1 ? chunk.length : newline + 1
    }
  }
  return slice.end(false)
}

const NEWLINE = 10

class Slice {
  readonly #range: LineRange
  readonly #lines: string[] = []
  #number = 1
  #characters = 0
  #isFull = false
  #pieces: Uint8Array[] = []
  #kept = 0
  #bytes = 0

  constructor(range: LineRange) {
    this.#range = range
  }

  get full(): boolean {
    return this.#isFull || (this.#bytes === 0 && this.#lines.length >= this.#range.limit)
  }

  take(piece: Uint8Array): void {
    this.#bytes += piece.length
    const room = this.#range.widthCharacters * 4 - this.#kept
    if (this.#number < this.#range.offset || room <= 0) return
    const kept = piece.subarray(0, room)
    // A stream may use the memory of its chunk again.
    this.#pieces.push(Uint8Array.from(kept))
    this.#kept += kept.length
  }

  endLine(): void {
    if (this.#number >= this.#range.offset) this.#keep()
    if (this.#isFull) return
    this.#number++
    this.#pieces = []
    this.#kept = 0
    this.#bytes = 0
  }

  end(more: boolean): LineSlice {
    if (this.#bytes > 0 && !this.#isFull) this.endLine()
    return { lines: this.#lines, more: more || this.#isFull, passed: this.#number - 1 }
  }

  #keep(): void {
    const { widthCharacters } = this.#range
    const text = Buffer.concat(this.#pieces).toString('utf8').replace(/\r$/, '')
    const isCut = text.length > widthCharacters || this.#kept < this.#bytes
    const line = isCut
      ? `${text.slice(0, widthCharacters).replace(/[\ud800-\udbff]$/, '')}… (cut here: the line has ${this.#bytes} bytes)`
      : text
    const characters = this.#characters + line.length + `${this.#number}\t\n`.length
    this.#isFull = characters > this.#range.characters && this.#lines.length > 0
    if (this.#isFull) return
    this.#lines.push(line)
    this.#characters = characters
  }
}
