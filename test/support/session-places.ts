import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { startPostgres } from './postgres.ts'

/** Where the sessions of a test are: a fresh database each time, and what can be said of it from outside. */
export type Place = {
  where(): Promise<string>
  expectSound(where: string): void
  /** Kills the database server and starts it again, if there is one. */
  crash?(): Promise<void>
  stop(): Promise<void>
}

/** Both kinds of stores, each started when its tests begin. */
export const PLACES: readonly (readonly [name: string, start: () => Promise<Place>])[] = [
  ['SQLite', sqlitePlace],
  ['PostgreSQL', postgresPlace],
]

async function sqlitePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-session-'))
  let files = 0
  return {
    where: async () => join(folder, `${++files}`, 'pith.db'),
    expectSound(where) {
      const database = new DatabaseSync(where)
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      database.close()
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresPlace(): Promise<Place> {
  const server = await startPostgres()
  return {
    where: () => server.url(),
    // A client that dies cannot damage the files of a server.
    expectSound: () => {},
    crash: () => server.crash(),
    stop: () => server.stop(),
  }
}
