import { DatabaseSync, type StatementSync } from 'node:sqlite'

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/

/** A connection to a database file, with the statements that were compiled for it. */
export class Database extends DatabaseSync {
  /** A cache: saves compiling the six statements of an append, which takes as long as a small append itself. Dropped with the connection. */
  readonly #statements = new Map<string, StatementSync>()

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
}

/** Runs `work` in one transaction that has the write lock from its start. An error rolls all of it back. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.prepared('BEGIN IMMEDIATE').run()
  try {
    const result = work()
    database.prepared('COMMIT').run()
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
