import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PithError } from '../../../src/model/problems/errors.ts'
import { migrationsOf } from '../../../src/store/migrations.ts'
import {
  inLightTransaction,
  inSnapshot,
  inTransaction,
  openDatabase,
  withFileErrors,
} from '../../../src/store/sqlite/database.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-database-'))
  path = join(folder, 'pith.db')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function opened(where = path, busyMs?: number): DatabaseSync {
  const database = openDatabase(where, busyMs)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

const setting = (database: DatabaseSync, name: string) =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]

describe('a database that is opened', () => {
  it('waits for the disk and for others, keeps no deleted text and has the newest schema', () => {
    const database = opened()
    expect(setting(database, 'journal_mode')).toBe('wal')
    expect(setting(database, 'synchronous')).toBe(2)
    expect(setting(database, 'secure_delete')).toBe(1)
    expect(setting(database, 'foreign_keys')).toBe(1)
    expect(setting(database, 'busy_timeout')).toBe(10_000)
    expect(setting(database, 'wal_autocheckpoint')).toBe(128)
    expect(setting(database, 'user_version')).toBe(migrationsOf('sqlite').at(-1)?.version)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(database.prepare("SELECT fold('ÄB') AS text, fold(NULL) AS none").get()).toEqual({ text: 'äb', none: '' })
  })

  it('waits as long as it is told to', () => {
    expect(setting(opened(path, 5), 'busy_timeout')).toBe(5)
  })

  it('and is of an older version, whichever, gets all steps that it lacks', () => {
    const migrations = migrationsOf('sqlite')
    for (const { version } of migrations.slice(0, -1)) {
      const old = join(folder, `${version}.db`)
      const database = new DatabaseSync(old)
      for (const { sql } of migrations.slice(0, version)) database.exec(sql)
      database.exec(`PRAGMA user_version = ${version}`)
      database.close()
      expect(setting(opened(old), 'user_version')).toBe(migrations.length)
    }
  })

  it('can be in memory, and leaves no file', () => {
    opened(':memory:')
    expect(() => statSync(':memory:')).toThrow('ENOENT')
  })
})

describe('a transaction', () => {
  const rows = (database: DatabaseSync) =>
    database
      .prepare('SELECT n FROM t ORDER BY n')
      .all()
      .map(({ n }) => n)
  const table = () => {
    const database = opened()
    database.exec('CREATE TABLE t (n INTEGER)')
    return database
  }

  it.each([
    ['that waits for the disk', inTransaction],
    ['that does not', inLightTransaction],
  ])('%s is done as a whole or not at all', (_, run) => {
    const database = table()
    expect(run(database, () => database.exec('INSERT INTO t VALUES (1)') ?? 'done')).toBe('done')
    expect(() =>
      run(database, () => {
        database.exec('INSERT INTO t VALUES (2)')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(rows(database)).toEqual([1])
    expect(database.isTransaction).toBe(false)
    expect(setting(database, 'synchronous')).toBe(2)
  })

  it('does not wait for the disk where a crash may undo it', () => {
    const database = table()
    expect(inLightTransaction(database, () => setting(database, 'synchronous'))).toBe(1)
  })

  it('has the write lock from its start, and says the error of its work when that has ended it already', () => {
    const database = table()
    const other = opened(path, 1)
    inTransaction(database, () => {
      expect(() => inTransaction(other, () => 'too late')).toThrow('locked')
    })
    expect(() =>
      inTransaction(database, () => {
        database.exec('ROLLBACK')
        throw new Error('the true cause')
      }),
    ).toThrow('the true cause')
  })

  it('of reads sees one state from its first to its last', () => {
    const database = table()
    const other = opened()
    const seen: unknown[] = []
    inSnapshot(database, () => {
      seen.push(rows(database))
      other.exec('INSERT INTO t VALUES (1)')
      seen.push(rows(database))
      // Inside of another one it is a part of that.
      inSnapshot(database, () => seen.push(rows(database)))
      expect(database.isTransaction).toBe(true)
    })
    seen.push(rows(database))
    expect(seen).toEqual([[], [], [], [1]])
    expect(database.isTransaction).toBe(false)
  })
})

describe('an error of the file', () => {
  const told = (error: unknown) => {
    try {
      return withFileErrors('a.db', () => {
        throw error
      })
    } catch (thrown) {
      return thrown
    }
  }
  const sqlite = (errcode: number) => Object.assign(new Error('why'), { errcode })

  it.each([11, 26, 267])('%i says that the file is damaged', (code) => {
    expect(told(sqlite(code))).toMatchObject({
      code: 'store-damaged',
      message:
        'a.db is damaged (why): it was left as it is; restore a copy, or save what can be read with pith store salvage',
      cause: { errcode: code },
    })
  })

  it.each([8, 10, 13, 14, 778])('%i says that the file cannot be written', (code) => {
    expect(told(sqlite(code))).toMatchObject({
      code: 'store-unwritable',
      message: 'a.db cannot be written (why): nothing that was saved is lost; free space or mend its rights',
      cause: { errcode: code },
    })
  })

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT', 'EISDIR', 'ENOTDIR'])('%s says so too', (code) => {
    expect(told(Object.assign(new Error('why'), { code }))).toMatchObject({ code: 'store-unwritable' })
  })

  it.each(['unsupported file format', 'duplicate column name: facts', 'no such table: entries'])(
    'that reads “%s” is damage too',
    (why) => {
      expect(told(Object.assign(new Error(why), { errcode: 1 }))).toMatchObject({ code: 'store-damaged' })
    },
  )

  it.each([5, 6])('%i says that another process has the lock', (code) => {
    expect(told(sqlite(code))).toMatchObject({
      code: 'store-unwritable',
      message: 'a.db is locked by another process (why), and nothing was written: try again, or end that process',
    })
  })

  it('of another kind stays what it is', () => {
    for (const error of [sqlite(1), sqlite(19), new Error('why'), 'a text', new PithError('unknown-session', 'x')]) {
      expect(told(error)).toBe(error)
    }
    expect(told(Object.assign(new Error('why'), { code: 'EOTHER' }))).not.toBeInstanceOf(PithError)
  })

  it('is what a folder in the place of the file gives', () => {
    mkdirSync(path)
    expect(() => openDatabase(path)).toThrow(/cannot be written \(EISDIR/)
  })
})
