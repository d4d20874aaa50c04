/** A line of a file; a line that is too long to be held has no text. */
export type TextLine = { readonly number: number; readonly text: string | undefined }

/** Text in pieces of any size, as a file or a request delivers it. */
export type Pieces = Iterable<string> | AsyncIterable<string>

/** No agent writes a line this long. A longer one is not held in memory. */
export const LONGEST_LINE = 64 * 1024 * 1024

/** Splits text into lines as it arrives. Lines come without their line ends; empty ones are numbered but left out. */
export class LineSplitter {
  readonly #longest: number
  #held: string[] = []
  #heldLength = 0
  #tooLong = false
  #number = 0

  constructor(longest: number = LONGEST_LINE) {
    this.#longest = longest
  }

  /** The lines that this piece completes. */
  *push(piece: string): Iterable<TextLine> {
    let start = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      this.#hold(piece.slice(start, end))
      yield* this.#take()
      start = end + 1
    }
    if (start < piece.length) this.#hold(start === 0 ? piece : piece.slice(start))
  }

  /** The last line, if the text does not end with a line end. */
  *end(): Iterable<TextLine> {
    if (this.#heldLength > 0) yield* this.#take()
  }

  #hold(part: string): void {
    this.#heldLength += part.length
    if (this.#heldLength > this.#longest) {
      this.#tooLong = true
      this.#held = []
    } else this.#held.push(part)
  }

  *#take(): Iterable<TextLine> {
    const text = this.#tooLong ? undefined : this.#held.join('').trim()
    this.#held = []
    this.#heldLength = 0
    this.#tooLong = false
    this.#number++
    if (text !== '') yield { number: this.#number, text }
  }
}
