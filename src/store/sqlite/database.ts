import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { PithError } from '../../model/problems/errors.ts'
import { migrationsOf, pendingMigrations } from '../migrations.ts'
import { prepared } from './prepared.ts'
import { openToRead } from './read-only.ts'

/** Opens a database file with full durability, readable by its owner only, and brings its schema up to date. */
export function openDatabase(path: string, busyMs = BUSY_MS): DatabaseSync {
  return withFileErrors(path, () => {
    // The files beside it (-wal, -shm) get the rights of this one.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
    const database = new DatabaseSync(path)
    try {
      // The busy timeout first: switching to WAL needs a lock too.
      database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`)
      // A write-ahead log of half a megabyte: appending to a growing file takes half as long again as overwriting one.
      database.exec('PRAGMA wal_autocheckpoint = 128')
      // Overwritten and deleted text does not stay in free pages.
      database.exec('PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
      addFunctions(database)
      migrate(database, path)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Opens a database file that may not be written, to read it. Its schema has to be up to date. */
export function openReadOnly(path: string, busyMs: number): DatabaseSync {
  return withFileErrors(path, () => {
    const database = openToRead(path)
    try {
      database.exec(`PRAGMA busy_timeout = ${busyMs}`)
      addFunctions(database)
      if (pendingMigrations(migrationsOf('sqlite'), versionOf(database), path).length > 0)
        throw new PithError(
          'store-unwritable',
          `${path} is of an older version of Pith and may not be written: copy it`,
        )
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

function addFunctions(database: DatabaseSync): void {
  // SQLite folds the case of ASCII letters only.
  database.function('fold', { deterministic: true }, (text) => String(text ?? '').toLowerCase())
}

/** How long a process waits for the lock of another one. */
export const BUSY_MS = 10_000

/** Runs `work` in one transaction that has the write lock from its start. An error rolls all of it back. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  prepared(database, 'BEGIN IMMEDIATE').run()
  try {
    const result = work()
    prepared(database, 'COMMIT').run()
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs `work`, which reads in several steps, on one state of the database. */
export function inSnapshot(database: DatabaseSync, work: () => void): void {
  if (database.isTransaction) return work()
  prepared(database, 'BEGIN').run()
  try {
    work()
  } finally {
    if (database.isTransaction) prepared(database, 'COMMIT').run()
  }
}

/**
 * As `inTransaction`, but a crash of the machine may undo it: for leases, whose process is gone then, and for data that can
 * be made again from the log. Processes see it at once; it reaches the disk with the next commit that waits for the disk.
 */
export function inLightTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    return inTransaction(database, work)
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}

/** Turns an error of SQLite about its file into one line that tells what to do. */
export function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw clearError(path, error)
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const migrations = migrationsOf('sqlite')
  if (pendingMigrations(migrations, versionOf(database), path).length === 0) return
  inTransaction(database, () => {
    // Look again inside the lock: another process may have been faster.
    for (const migration of pendingMigrations(migrations, versionOf(database), path)) {
      database.exec(migration.sql)
      database.exec(`PRAGMA user_version = ${migration.version}`)
    }
  })
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

function clearError(path: string, error: unknown): unknown {
  if (error instanceof PithError || !(error instanceof Error)) return error
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  const why = error.message
  if (code === 11 || code === 26 || (code === 1 && DAMAGED.test(why))) {
    return new PithError(
      'store-damaged',
      `${path} is damaged (${why}): it was left as it is; restore a copy, or save what can be read with pith store salvage`,
      { cause: error },
    )
  }
  if (code === 5 || code === 6) {
    const message = `${path} is locked by another process (${why}), and nothing was written: try again, or end that process`
    return new PithError('store-unwritable', message, { cause: error })
  }
  if (
    code === 8 ||
    code === 10 ||
    code === 13 ||
    code === 14 ||
    ('code' in error && UNWRITABLE.has(String(error.code)))
  ) {
    return new PithError(
      'store-unwritable',
      `${path} cannot be written (${why}): nothing that was saved is lost; free space or mend its rights`,
      { cause: error },
    )
  }
  return error
}

/** Complaints of SQLite about a header or a schema that is not what it was. It counts these among the errors of a statement. */
const DAMAGED =
  /unsupported file format|malformed|no such (?:table|column|index)|has no column|duplicate column name|already exists|another row available|vtable constructor failed/

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT', 'EISDIR', 'ENOTDIR'])
