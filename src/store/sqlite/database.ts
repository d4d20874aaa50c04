import { statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { PithError } from '../../model/problems/errors.ts'
import { noteOpen } from './open-files.ts'

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/

/** A connection to a database file, with the statements that were compiled for it. */
export class Database extends DatabaseSync {
  /** A cache: saves compiling the six statements of an append, which takes as long as a small append itself. Dropped with the connection. */
  readonly #statements = new Map<string, StatementSync>()
  readonly #path: string
  readonly #noteClosed: () => void
  /** The inode of the write-ahead log that SQLite has open; undefined if the database has none. */
  #log: number | undefined
  #isLogLost = false

  constructor(path: string | URL, options: DatabaseSyncOptions = {}) {
    super(path, options)
    this.#path = path instanceof URL ? fileURLToPath(path) : path
    this.#noteClosed = noteOpen(this.#path)
  }

  /** The statement for a text of SQL, compiled when it is first used. Only for a small number of different texts. */
  prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.prepare(sql)
      // Node returns the number of the last inserted row with each write. After a write to the search index it may be larger than
      // any number of JavaScript, and Node 26 then throws.
      if (WRITES.test(sql)) statement.setReadBigInts(true)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Call it after the first transaction: before that, SQLite may not have made the log yet. */
  watchLog(): void {
    this.#log = logOf(this.#path)
  }

  /**
   * Throws if another program has deleted or replaced the write-ahead log since `watchLog`. What is stored after that reaches
   * no other process and is gone when this one ends, so it must not be acknowledged.
   */
  checkLog(): void {
    if (this.#hasLostLog()) {
      const message = `${this.#path} lost its write-ahead log: another program deleted it while this process had the database open. Nothing more is stored: end this process, then run pith store check`
      throw new PithError('store-damaged', message)
    }
  }

  override close(): void {
    // SQLite would write its pages of the lost log over what other processes have stored since.
    if (this.#hasLostLog()) return
    super.close()
    this.#noteClosed()
  }

  #hasLostLog(): boolean {
    this.#isLogLost ||= this.#log !== undefined && logOf(this.#path) !== this.#log
    if (this.#isLogLost) notClosed.add(this)
    return this.#isLogLost
  }
}

/** Connections without their log. They are kept from the garbage collector, which would close them. */
const notClosed = new Set<Database>()

function logOf(path: string): number | undefined {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino
}

/** Runs `work` in one transaction that has the write lock from its start. An error rolls all of it back. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.checkLog()
  database.prepared('BEGIN IMMEDIATE').run()
  try {
    const result = work()
    database.prepared('COMMIT').run()
    database.checkLog()
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * As `inTransaction`, but a crash of the machine may undo it: for leases, whose process is gone then, and for data that can
 * be made again from the log. Processes see it at once; it reaches the disk with the next commit that waits for the disk.
 */
export function inLightTransaction<T>(database: Database, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    return inTransaction(database, work)
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}

/** Runs `work`, which reads in several steps, on one state of the database. */
export function inSnapshot(database: Database, work: () => void): void {
  if (database.isTransaction) return work()
  database.prepared('BEGIN').run()
  try {
    work()
  } finally {
    if (database.isTransaction) database.prepared('COMMIT').run()
  }
}
