import { setTimeout as sleep } from 'node:timers/promises'
import type { LogChange, StoreDeps, StoredSignal } from '../store.ts'
import { type Database, inLightTransaction, inTransaction } from './database.ts'
import { CHANGE_ROWS } from './entry-rows.ts'
import { BUSY_MS, databaseError, isLocked, isUnwritable, openDatabase, openReadOnly } from './open-database.ts'
import { RowFeed, SIGNAL_ROWS } from './row-feed.ts'
import { SearchIndexer, truncateLog } from './search-index.ts'

/** How long SQLite itself waits for a lock. It blocks the whole process meanwhile, so the time is short. */
const SLICE_MS = 5
const PAUSES_MS = [5, 10, 20, 40, 80]

/** An open database file. Runs work on it, waits for locks, and notifies listeners and the search index afterwards. */
export class DatabaseFile {
  readonly database: Database
  readonly changes: RowFeed<LogChange>
  readonly signals: RowFeed<StoredSignal>
  readonly #path: string
  readonly #patienceMs: number
  readonly #index: SearchIndexer
  #waiting = new AbortController()
  /** The end of the last write that waits. */
  #lastTurn: Promise<void> | undefined
  #emptying: Promise<void> | undefined

  private constructor(path: string, database: Database, patienceMs: number) {
    this.database = database
    this.changes = new RowFeed(database, CHANGE_ROWS)
    this.signals = new RowFeed(database, SIGNAL_ROWS)
    this.#path = path
    this.#patienceMs = patienceMs
    this.#index = new SearchIndexer(database)
  }

  static async open(path: string, { unwritable, busyMs = BUSY_MS }: StoreDeps): Promise<DatabaseFile> {
    const open = unwritable === 'read' && isUnwritable(path) ? openReadOnly : openDatabase
    const wait = new LockWait(path, busyMs)
    for (;;) {
      try {
        return new DatabaseFile(path, open(path, SLICE_MS), busyMs)
      } catch (error) {
        await wait.after(error)
      }
    }
  }

  /** Runs work that only reads. It is repeated while another process has the file locked. */
  async read<T>(work: () => T): Promise<T> {
    let wait: LockWait | undefined
    for (;;) {
      try {
        return work()
      } catch (error) {
        wait ??= this.#wait()
        await wait.after(error)
      }
    }
  }

  /**
   * Does all of the work in one transaction or nothing. While another process has the file locked, it is tried again. Writes
   * that wait keep their order, and while none waits a write is done within the call. A change of the log survives a crash, and
   * listeners get it. A crash of the machine may undo changes that are `beside-log`.
   */
  async write<T>(work: () => T, where: 'log' | 'beside-log' = 'log'): Promise<T> {
    let turn = this.#lastTurn === undefined ? undefined : this.#takeTurn()
    try {
      if (turn !== undefined) await turn.before
      let result: T
      for (;;) {
        try {
          result = (where === 'log' ? inTransaction : inLightTransaction)(this.database, work)
          break
        } catch (error) {
          turn ??= this.#takeTurn()
          await turn.wait.after(error)
        }
      }
      if (where === 'log') {
        this.changes.poll()
        this.#index.soon()
      }
      return result
    } finally {
      turn?.end()
    }
  }

  /** After a redaction: removes its texts from the index and the write-ahead log. Several redactions at once empty that log once. */
  async forget(): Promise<void> {
    this.#index.afterRedaction()
    this.#emptying ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
      this.#emptying = undefined
      // If another process reads from the log, the search index does this later.
      await this.read(() => truncateLog(this.database))
    })
    await this.#emptying
  }

  /** Ends all waits for a lock now: each work is tried once more. */
  stopWaiting(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }

  close(): void {
    this.changes.close()
    this.signals.close()
    this.#index.close()
    if (this.database.isOpen) this.database.close()
  }

  /** A place after all writes that wait. */
  #takeTurn(): { readonly before: Promise<void> | undefined; readonly wait: LockWait; readonly end: () => void } {
    const before = this.#lastTurn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastTurn = promise
    const end = () => {
      if (this.#lastTurn === promise) this.#lastTurn = undefined
      resolve()
    }
    return { before, wait: this.#wait(), end }
  }

  #wait(): LockWait {
    return new LockWait(this.#path, this.#patienceMs, this.#waiting.signal)
  }
}

/** The wait of one call for the lock of another process. It waits in slices, so that this process can work meanwhile. */
class LockWait {
  readonly #path: string
  readonly #until: number
  readonly #signal: AbortSignal | undefined
  #pauses = 0

  constructor(path: string, patienceMs: number, signal?: AbortSignal) {
    this.#path = path
    this.#until = Date.now() + patienceMs
    this.#signal = signal
  }

  /** The pause before the next try. Throws a clear error when the error is not about a lock, or the time is over. */
  after(error: unknown): Promise<void> {
    const left = this.#signal?.aborted === true ? 0 : this.#until - Date.now()
    if (left <= 0 || !isLocked(error)) throw databaseError(this.#path, error)
    return sleep(Math.min(PAUSES_MS[this.#pauses++] ?? 100, left))
  }
}
