import type { DatabaseSync } from 'node:sqlite'
import { lightTransaction } from './database.ts'
import { indexWaiting, isIndexDue } from './search-index.ts'

/** How long after a write the index is looked after: the one who wrote has gone on to wait for something else by then. */
const PAUSE_MS = 250

/** Indexes for the search what was appended, when nobody waits for it. */
export class LaterIndex {
  readonly #database: DatabaseSync
  #timer: NodeJS.Timeout | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Something was written. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.#look(), PAUSE_MS).unref()
  }

  /** Does what it was waiting to do. */
  close(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#look()
  }

  #look(): void {
    this.#timer = undefined
    if (!this.#database.isOpen) return
    try {
      // A crash of the machine may take it back: the rows wait again then.
      if (isIndexDue(this.#database)) lightTransaction(this.#database, () => indexWaiting(this.#database))
    } catch {
      // Locked, or a full disk: a search finds what waits all the same, and the next write looks again.
    }
  }
}
