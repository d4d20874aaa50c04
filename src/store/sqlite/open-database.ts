import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PithError } from '../../model/problems/errors.ts'
import { migrationsOf, pendingMigrations } from '../migrations.ts'
import { Database, inTransaction } from './database.ts'
import { dropOldIndex } from './old-index.ts'
import { makeDatabaseFile } from './open-files.ts'

/** Opens a database file with full durability, readable by its owner only, and brings its schema up to date. */
export function openDatabase(path: string, busyMs = BUSY_MS): Database {
  return withFileErrors(path, () => {
    // The files next to it (-wal, -shm) get the permissions of this one.
    if (path !== ':memory:') makeDatabaseFile(path)
    const database = new Database(path)
    try {
      // The busy timeout first: switching to WAL needs a lock too.
      database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`)
      // A write-ahead log of half a megabyte: appending to a growing file takes 1.5 times as long as overwriting one.
      database.exec('PRAGMA wal_autocheckpoint = 128')
      // Overwritten and deleted text does not stay in free pages.
      database.exec('PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
      addFunctions(database)
      migrate(database, path)
      database.watchLog()
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Opens a database file that may not be written, to read it. Its schema has to be up to date. */
export function openReadOnly(path: string, busyMs: number): Database {
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

function addFunctions(database: Database): void {
  // SQLite folds the case of ASCII letters only.
  database.function('fold', { deterministic: true }, (text) => String(text ?? '').toLowerCase())
}

/** How long a process waits for the lock of another one. */
export const BUSY_MS = 10_000

function migrate(database: Database, path: string): void {
  const migrations = migrationsOf('sqlite')
  if (pendingMigrations(migrations, versionOf(database), path).length === 0) return
  inTransaction(database, () => {
    const isNew = versionOf(database) === 0
    // Check again inside the lock: another process may have been faster.
    for (const migration of pendingMigrations(migrations, versionOf(database), path)) {
      database.exec(migration.sql)
      database.exec(`PRAGMA user_version = ${migration.version}`)
    }
    // A new database has nothing that only the old index finds.
    if (isNew) dropOldIndex(database)
  })
}

function versionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

/** Runs `work`; its errors about the file are those of `databaseError`. */
export function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw databaseError(path, error)
  }
}

/** An error of SQLite about its file as one line that says what to do. Other errors do not change. */
export function databaseError(path: string, error: unknown): unknown {
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
  const errno = 'code' in error ? String(error.code) : ''
  if (code === 13 || errno === 'ENOSPC') return diskFull(path, why, error)
  if (code === 8 || code === 10 || code === 14 || UNWRITABLE.has(errno)) {
    return new PithError(
      'store-unwritable',
      `${path} cannot be written (${why}): nothing that was saved is lost; free space or fix its permissions`,
      { cause: error },
    )
  }
  return error
}

/** The error of a write that found no space, or would find none. */
export function diskFull(path: string, why: string, cause?: Error): PithError {
  const message = `${path} cannot be written because its disk is full (${why}): nothing that was saved is lost; free space`
  return new PithError('store-full', message, { cause })
}

/** SQLite's messages about a damaged header or schema. It reports them as errors of a statement. */
const DAMAGED =
  /unsupported file format|malformed|no such (?:table|column|index)|has no column|duplicate column name|already exists|another row available|vtable constructor failed/

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EISDIR', 'ENOTDIR'])

/** True when another process has the file locked (SQLITE_BUSY and SQLITE_LOCKED), also as the cause of an error of ours. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  return code === 5 || code === 6 || isLocked(error.cause)
}

/** True for a database that is there, in a file or a folder that this process may not write. */
export function isUnwritable(path: string): boolean {
  return existsSync(path) && !(mayWrite(path) && mayWrite(dirname(path)))
}

/**
 * Opens a database to read it, even if its folder cannot be written. SQLite makes two files next to a database even to read it,
 * unless the option `immutable` says that the file does not change. It does not change while nobody has it open, and then the two
 * files are missing: a process that has it open has made both. A log without the other file has bytes only in a copy. If only the
 * file belongs to another user, we do not make the two files either: that user could not write them.
 */
export function openToRead(path: string): Database {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  const isShared = existsSync(`${path}-shm`)
  const isAtRest = log === undefined || (log.size === 0 && !isShared)
  if (isAtRest && isUnwritable(path)) return openUnchanging(path)
  if (!isAtRest && !isShared && !mayWrite(dirname(path))) throw needsFolder(path)
  return new Database(path, { readOnly: true })
}

function openUnchanging(path: string): Database {
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return new Database(address, { readOnly: true })
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function needsFolder(path: string): PithError {
  const log = `${basename(path)}-wal`
  return new PithError(
    'store-unwritable',
    `${path} cannot be read because its last changes are in ${log} and its folder may not be written: copy both to another folder`,
  )
}
