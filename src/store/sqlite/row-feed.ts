import type { SQLOutputValue } from 'node:sqlite'
import { SIGNAL_MS, type Signal, type StoredSignal } from '../store.ts'
import type { Database } from './database.ts'

/** How often we look for rows of other processes while there is a listener. */
const POLL_MS = 100

type Row = Record<string, SQLOutputValue>

/** A table to which rows are only added, each with a higher number than all before. */
export type RowSource<T> = {
  /** Selects the highest number as `row`. */
  readonly newest: string
  /** Selects the rows above a number in their order, each with its number as `row`. */
  readonly after: string
  readonly valueOf: (row: Row) => T
}

/** Calls listeners for new rows: for those of this process at once, for those of others when `PRAGMA data_version` changes. */
export class RowFeed<T> {
  readonly #database: Database
  readonly #source: RowSource<T>
  readonly #listeners = new Set<(value: T) => void>()
  #timer: NodeJS.Timeout | undefined
  #lastRow = 0
  #version = 0

  constructor(database: Database, source: RowSource<T>) {
    this.#database = database
    this.#source = source
  }

  subscribe(listener: (value: T) => void): () => void {
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** Looks for rows that the listeners have not got yet. Errors are ignored: they must not fail the write before. */
  poll(): void {
    try {
      this.#sendNew()
    } catch {
      // The next poll finds the same rows.
    }
  }

  close(): void {
    this.#listeners.clear()
    this.#stop()
  }

  #sendNew(): void {
    if (this.#listeners.size === 0 || !this.#database.isOpen) return
    for (const row of this.#database.prepared(this.#source.after).all(this.#lastRow)) {
      this.#lastRow = Number(row.row)
      const value = this.#source.valueOf(row)
      // Not within the writer's call: a slow listener must not delay it, a broken one must not break it.
      for (const listener of this.#listeners) setImmediate(() => this.#send(listener, value))
    }
  }

  #send(listener: (value: T) => void, value: T): void {
    if (!this.#listeners.has(listener)) return
    try {
      listener(value)
    } catch {
      // An error of a listener does not concern us.
    }
  }

  #start(): void {
    this.#lastRow = Number(this.#database.prepared(this.#source.newest).get()?.row ?? 0)
    this.#timer = setInterval(() => this.#pollOthers(), POLL_MS)
    this.#timer.unref()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #pollOthers(): void {
    if (!this.#database.isOpen) return
    try {
      const version = Number(this.#database.prepared('PRAGMA data_version').get()?.data_version ?? 0)
      if (version === this.#version) return
      this.#sendNew()
      this.#version = version
    } catch {
      // Locked for longer than we wait: the next poll finds the same rows.
    }
  }
}

/** The rows of signals, for receivers. */
export const SIGNAL_ROWS: RowSource<StoredSignal> = {
  newest: 'SELECT max(id) AS row FROM signals',
  after: 'SELECT id AS row, session_id, kind, body FROM signals WHERE id > ? ORDER BY id',
  valueOf: ({ row, session_id, kind, body }) => ({
    row: Number(row),
    session: String(session_id),
    kind: String(kind),
    body: String(body),
  }),
}

/** Stores a signal, and deletes those that nobody has served in time. */
export function insertSignal(database: Database, { session, kind, body }: Signal, now: number): void {
  database.prepared('DELETE FROM signals WHERE at < ?').run(now - SIGNAL_MS)
  const sql = 'INSERT INTO signals (session_id, kind, body, at) VALUES (?, ?, ?, ?)'
  database.prepared(sql).run(session, kind, body, now)
}

/** Deletes a signal that was served. */
export function deleteSignal(database: Database, row: number): void {
  database.prepared('DELETE FROM signals WHERE id = ?').run(row)
}
