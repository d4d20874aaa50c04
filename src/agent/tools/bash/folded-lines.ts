import { count } from '../../../engine/report/numbers.ts'

/** Passes lines on, and replaces the repetitions of a line by their number if that is shorter. */
export class FoldedLines {
  readonly #onLine: (line: string) => void
  #last: string | undefined
  #repeated = 0

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  add(line: string): void {
    if (line === this.#last) {
      this.#repeated++
      return
    }
    this.end()
    this.#last = line
    this.#onLine(line)
  }

  /** Passes on the repetitions of the last line. */
  end(): void {
    const repeated = this.#repeated
    if (repeated === 0) return
    const line = this.#last ?? ''
    this.#repeated = 0
    const note = `[… the line above ${count(repeated)} more times]`
    if (repeated >= FEWEST && repeated * (line.length + 1) > note.length + 1) return this.#onLine(note)
    for (let i = 0; i < repeated; i++) this.#onLine(line)
  }
}

const FEWEST = 3
