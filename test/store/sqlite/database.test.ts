import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Database, inLightTransaction, inSnapshot, inTransaction } from '../../../src/store/sqlite/database.ts'
import { openDatabase } from '../../../src/store/sqlite/open-database.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-database-'))
  path = join(folder, 'pith.db')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function opened(where = path, busyMs?: number): Database {
  const database = openDatabase(where, busyMs)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

const setting = (database: Database, name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]

describe('a transaction', () => {
  const rows = (database: Database) =>
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

  it('does not wait for the disk if a crash may undo it', () => {
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

it('a statement is compiled once for each text and each database', () => {
  const [one, other] = [new Database(':memory:'), new Database(':memory:')]
  onTestFinished(() => {
    one.close()
    other.close()
  })
  const first = one.prepared('SELECT 1 AS n')
  expect(one.prepared('SELECT 1 AS n')).toBe(first)
  expect(one.prepared('SELECT 2 AS n')).not.toBe(first)
  expect(one.prepared('SELECT 2 AS n')).toBe(one.prepared('SELECT 2 AS n'))
  expect(other.prepared('SELECT 1 AS n')).not.toBe(first)
  expect(first.get()).toEqual({ n: 1 })
})
