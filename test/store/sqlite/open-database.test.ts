import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migrationsOf } from '../../../src/store/migrations.ts'
import { openDatabase } from '../../../src/store/sqlite/open-database.ts'

const OPENED = "const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);"

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

  it('waits as long as it is asked to', () => {
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

  it('that lost its write-ahead log is not written over what others store since, when it is closed', () => {
    const database = opened()
    database.exec('CREATE TABLE own (text TEXT)')
    for (let i = 0; i < 50; i++) database.prepare('INSERT INTO own VALUES (?)').run('x'.repeat(3_000))
    for (const name of ['-wal', '-shm']) rmSync(path + name)
    const elsewhere = (script: string) =>
      execFileSync(process.execPath, ['-e', `${OPENED}${script}`, path], { encoding: 'utf8' })
    elsewhere(`
      database.exec('CREATE TABLE others (text TEXT)')
      for (let i = 0; i < 500; i++) database.prepare('INSERT INTO others VALUES (?)').run('y'.repeat(3000))
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')`)
    database.close()
    expect(
      elsewhere(`
        console.log(database.prepare('PRAGMA integrity_check').get().integrity_check)
        console.log(database.prepare('SELECT count(*) AS n FROM others').get().n)`),
    ).toBe('ok\n500\n')
  })

  it('is refused if a folder is in its place', () => {
    mkdirSync(path)
    expect(() => openDatabase(path)).toThrow(/cannot be written \(unable to open/)
  })
})
