import { setTimeout as sleep } from 'node:timers/promises'
import type { LogChange, StoreDeps, StoredSignal } from '../store.ts'
import { type Database, inLightTransaction, inTransaction } from './database.ts'
import { CHANGE_ROWS } from './entry-rows.ts'
import { BUSY_MS, databaseError, isLocked, isUnwritable, openDatabase, openReadOnly } from './open-database.ts'
import { SharedFiles } from './open-files.ts'
import { RowFeed, SIGNAL_ROWS } from './row-feed.ts'
import { SearchIndexer, truncateLog } from './search-index.ts'

/** How long SQLite itself waits for a lock. It blocks the whole process meanwhile, so the time is short. */
const SLICE_MS = 5
const PAUSES_MS = [5, 10, 20, 40, 80]

/** The connection that all stores of this process on one file share, with everything that must see each write. */
class Connection {
  readonly database: Database
  readonly changes: RowFeed<LogChange>
  readonly signals: RowFeed<StoredSignal>
  readonly index: SearchIndexer
  /** The end of the last write that waits. */
  lastTurn: Promise<void> | undefined
  emptying: Promise<void> | undefined

  constructor(database: Database) {
    this.database = database
    this.changes = new RowFeed(database, CHANGE_ROWS)
    this.signals = new RowFeed(database, SIGNAL_ROWS)
    this.index = new SearchIndexer(database)
  }

  close(): void {
    this.changes.close()
    this.signals.close()
    this.index.close()
    this.database.close()
  }
}

const writers = new SharedFiles<Connection>()
const readers = new SharedFiles<Connection>()

/** An open database file. Runs work on it, waits for locks, and notifies listeners and the search index afterwards. */
export class DatabaseFile {
  readonly #path: string
  readonly #shared: ReturnType<typeof writers.take>
  readonly #patienceMs: number
  readonly #subscriptions = new Set<() => void>()
  #waiting = new AbortController()
  #isClosed = false

  private constructor(path: string, shared: ReturnType<typeof writers.take>, patienceMs: number) {
    this.#path = path
    this.#shared = shared
    this.#patienceMs = patienceMs
  }

  static async open(path: string, { unwritable, busyMs = BUSY_MS }: StoreDeps): Promise<DatabaseFile> {
    const [files, open] =
      unwritable === 'read' && isUnwritable(path) ? [readers, openReadOnly] : [writers, openDatabase]
    const wait = new LockWait(path, busyMs)
    for (;;) {
      try {
        const shared = files.take(path, () => new Connection(open(path, SLICE_MS)))
        return new DatabaseFile(path, shared, busyMs)
      } catch (error) {
        await wait.after(error)
      }
    }
  }

  get database(): Database {
    return this.#shared.value.database
  }

  onChange(listener: (change: LogChange) => void): () => void {
    return this.#subscribe(this.#shared.value.changes, listener)
  }

  onSignal(listener: (signal: StoredSignal) => void): () => void {
    return this.#subscribe(this.#shared.value.signals, listener)
  }

  /** Looks for signals that the listeners have not got yet. */
  pollSignals(): void {
    this.#shared.value.signals.poll()
  }

  /** Runs work that only reads. It is repeated while another process has the file locked. */
  async read<T>(work: () => T): Promise<T> {
    let wait: LockWait | undefined
    for (;;) {
      try {
        this.#checkOpen()
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
    const { database, changes, index, lastTurn } = this.#shared.value
    let turn = lastTurn === undefined ? undefined : this.#takeTurn()
    try {
      if (turn !== undefined) await turn.before
      let result: T
      for (;;) {
        try {
          this.#checkOpen()
          result = (where === 'log' ? inTransaction : inLightTransaction)(database, work)
          break
        } catch (error) {
          turn ??= this.#takeTurn()
          await turn.wait.after(error)
        }
      }
      if (where === 'log') {
        changes.poll()
        index.soon()
      }
      return result
    } finally {
      turn?.end()
    }
  }

  /** After a redaction: removes its texts from the index and the write-ahead log. Several redactions at once empty that log once. */
  async forget(): Promise<void> {
    const connection = this.#shared.value
    connection.index.afterRedaction()
    connection.emptying ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
      connection.emptying = undefined
      // If another process reads from the log, the search index does this later.
      await this.read(() => truncateLog(this.database))
    })
    await connection.emptying
  }

  /** Ends all waits for a lock now: each work is tried once more. */
  stopWaiting(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#subscriptions) stop()
    this.#shared.leave()
  }

  /** Another store of this process may still have the connection. */
  #checkOpen(): void {
    if (this.#isClosed) throw new Error(`${this.#path} is closed`)
  }

  #subscribe<T>(feed: RowFeed<T>, listener: (value: T) => void): () => void {
    // As for listeners from before: they hear nothing more.
    if (this.#isClosed) return () => {}
    const unsubscribe = feed.subscribe(listener)
    const stop = () => {
      this.#subscriptions.delete(stop)
      unsubscribe()
    }
    this.#subscriptions.add(stop)
    return stop
  }

  /** A place after all writes that wait. */
  #takeTurn(): { readonly before: Promise<void> | undefined; readonly wait: LockWait; readonly end: () => void } {
    const connection = this.#shared.value
    const before = connection.lastTurn
    const { promise, resolve } = Promise.withResolvers<void>()
    connection.lastTurn = promise
    const end = () => {
      if (connection.lastTurn === promise) connection.lastTurn = undefined
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
