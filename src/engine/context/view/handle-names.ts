import { codeNamesIn } from '../../extract/text/seen-names.ts'

/** A handle is a few lines, not a page, and much shorter than what it stands for. */
const HANDLE_CHARACTERS = 800
const HANDLE_SHARE = 0.1
/** A line is full long before this, so a log of megabytes is not read to its end. */
const READ_CHARACTERS = 60_000

/**
 * Chooses the names that the handles of one batch carry, so that the agent knows what is behind them. Each name comes
 * once, up to so many characters together. The first text gets the most names, so begin with the newest.
 */
export class HandleNames {
  readonly #told = new Set<string>()
  #left: number

  constructor(characters: number) {
    this.#left = characters
  }

  /** The names for the handle of this text. */
  of(text: string): string[] {
    const names: string[] = []
    let room = Math.min(this.#left, HANDLE_CHARACTERS, text.length * HANDLE_SHARE)
    if (room <= 0) return names
    for (const name of codeNamesIn(text.slice(0, READ_CHARACTERS))) {
      if (this.#told.has(name)) continue
      room -= name.length + 1
      if (room < 0) break
      this.#left -= name.length + 1
      this.#told.add(name)
      names.push(name)
    }
    return names
  }
}
