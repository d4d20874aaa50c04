import { closeSync, openSync } from 'node:fs'
import { PithError } from '../../model/problems/errors.ts'
import { migrationsOf, pendingMigrations } from '../migrations.ts'
import { Database, inTransaction } from './database.ts'
import { openToRead, withFileErrors } from './database-error.ts'

/** Opens a database file with full durability, readable by its owner only, and brings its schema up to date. */
export function openDatabase(path: string, busyMs = BUSY_MS): Database {
  return withFileErrors(path, () => {
    // The files next to it (-wal, -shm) get the permissions of this one.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
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
    // Check again inside the lock: another process may have been faster.
    for (const migration of pendingMigrations(migrations, versionOf(database), path)) {
      database.exec(migration.sql)
      database.exec(`PRAGMA user_version = ${migration.version}`)
    }
  })
}

function versionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}
