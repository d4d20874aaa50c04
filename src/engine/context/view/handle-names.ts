import { codeNamesIn } from '../../extract/text/seen-names.ts'

/** A handle is a few lines at most, and much shorter than the text that it replaces. */
const HANDLE_CHARACTERS = 800
const HANDLE_SHARE = 0.1
/** The line is full long before this, so a log of megabytes is not read to its end. */
const READ_CHARACTERS = 60_000

/**
 * Chooses the names that the handles of one batch list, so that the agent knows what it can recall. Each name is listed
 * once, up to a total number of characters. The first text gets the most names, so begin with the newest.
 */
export class HandleNames {
  readonly #used = new Set<string>()
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
      if (this.#used.has(name)) continue
      room -= name.length + 1
      if (room < 0) break
      this.#left -= name.length + 1
      this.#used.add(name)
      names.push(name)
    }
    return names
  }
}
