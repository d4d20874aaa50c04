import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../store.ts'
import { prepared } from './prepared.ts'

/** How often another process's appends are looked for while somebody listens. */
const POLL_MS = 100

/** Tells listeners of new entries: of this process at once, of others as `PRAGMA data_version` shows them. */
export class ChangeFeed {
  readonly #database: DatabaseSync
  readonly #listeners = new Set<(change: Change) => void>()
  #timer: NodeJS.Timeout | undefined
  #lastRow = 0
  #version = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  subscribe(listener: (change: Change) => void): () => void {
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** Looks for entries that nobody was told of yet; what goes wrong here is no fault of the append before it. */
  pollSafely(): void {
    try {
      this.poll()
    } catch {
      // The next look finds the same.
    }
  }

  /** Looks for entries that nobody was told of yet. */
  poll(): void {
    if (this.#listeners.size === 0 || !this.#database.isOpen) return
    const rows = prepared(this.#database, 'SELECT row, session_id, seq FROM entries WHERE row > ? ORDER BY row').all(
      this.#lastRow,
    )
    for (const { row, session_id, seq } of rows) {
      this.#lastRow = Number(row)
      const change = { session: String(session_id), seq: Number(seq) }
      // Not within the writer's call: a slow listener must not hold it up, a broken one must not break it.
      for (const listener of this.#listeners) setImmediate(() => this.#tell(listener, change))
    }
  }

  close(): void {
    this.#listeners.clear()
    this.#stop()
  }

  #tell(listener: (change: Change) => void, change: Change): void {
    if (!this.#listeners.has(listener)) return
    try {
      listener(change)
    } catch {
      // A listener's error is its own affair.
    }
  }

  #start(): void {
    this.#lastRow = Number(prepared(this.#database, 'SELECT max(row) AS row FROM entries').get()?.row ?? 0)
    this.#timer = setInterval(() => this.#look(), POLL_MS)
    this.#timer.unref()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    if (!this.#database.isOpen) return
    try {
      this.#lookAgain()
    } catch {
      // Locked for longer than we wait.
    }
  }

  #lookAgain(): void {
    const version = Number(prepared(this.#database, 'PRAGMA data_version').get()?.data_version ?? 0)
    if (version === this.#version) return
    this.poll()
    this.#version = version
  }
}
