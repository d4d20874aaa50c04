import { setTimeout as sleep } from 'node:timers/promises'
import type { LogChange, StoreDeps, StoredSignal } from '../store.ts'
import { type Database, inLightTransaction, inTransaction } from './database.ts'
import { databaseError, isLocked, isUnwritable } from './database-error.ts'
import { CHANGE_ROWS } from './entry-rows.ts'
import { BUSY_MS, openDatabase, openReadOnly } from './open-database.ts'
import { RowFeed } from './row-feed.ts'
import { SearchIndexer, truncateLog } from './search-index.ts'
import { SIGNAL_ROWS } from './signal-rows.ts'

/** How long SQLite itself waits for a lock. The whole process stands still meanwhile, so it is short. */
const SLICE_MS = 5
const PAUSES_MS = [5, 10, 20, 40, 80]

/** An open file: how work reaches it, and those who have to know of it afterwards. */
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

  /** Does work that only reads, again and again while another process has the file locked. */
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
   * Does all of the work in one transaction or nothing. While another process has the file locked it tries again and again;
   * writes that wait keep their order, and while none waits a write is done within the call. A change of the log survives a
   * crash, and those who follow the log hear of it. A crash of the machine may undo what is kept beside the log.
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

  /** After a redaction: takes its texts out of the index and the write-ahead log. Several at once empty that log once. */
  async forget(): Promise<void> {
    this.#index.afterRedaction()
    this.#emptying ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
      this.#emptying = undefined
      // While another process reads from the log, this is left to the index.
      await this.read(() => truncateLog(this.database))
    })
    await this.#emptying
  }

  /** Ends the patience of all work that waits now: each is tried once more. */
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

/** The patience of one call with the lock of another process. It waits in slices, so that this process goes on meanwhile. */
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

  /** The pause before the next try. Throws the error, in clear words, when it is not about a lock or patience has ended. */
  after(error: unknown): Promise<void> {
    const left = this.#signal?.aborted === true ? 0 : this.#until - Date.now()
    if (left <= 0 || !isLocked(error)) throw databaseError(this.#path, error)
    return sleep(Math.min(PAUSES_MS[this.#pauses++] ?? 100, left))
  }
}
