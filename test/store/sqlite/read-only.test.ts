import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/open-database.ts'
import { folderOfRun } from '../../support/run-folder.ts'

const NOBODY = 65_534
const SOURCE = new URL('../../../src/store/sqlite/open-database.ts', import.meta.url).href

/** Opens the database at the first message, and answers each with the number of its notes or with the reason why not. */
const READER = `
import { openReadOnly } from ${JSON.stringify(SOURCE)}
let database
if (process.getuid?.() === 0) {
  process.setgroups([])
  process.setgid(${NOBODY})
  process.setuid(${NOBODY})
}
process.on('message', (path) => {
  try {
    database ??= openReadOnly(path, 0)
    process.send(database.prepare('SELECT count(*) AS notes FROM note').get().notes)
  } catch (error) {
    process.send(error.message)
  }
})
process.send('ready')
`

let folder: string
let path: string
beforeEach(() => {
  const root = mkdtempSync(join(folderOfRun(), 'pith-read-only-'))
  chmodSync(root, 0o755)
  folder = join(root, 'data')
  path = join(folder, 'pith.db')
  mkdirSync(folder)
  onTestFinished(() => {
    chmodSync(folder, 0o755)
    rmSync(root, { recursive: true, force: true })
  })
})

function written(at = path): DatabaseSync {
  const database = openDatabase(at)
  database.exec('CREATE TABLE note (text TEXT); INSERT INTO note VALUES (1)')
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

/**
 * A process that may read the folder and not write it. Root may write everywhere, so another user reads: it becomes that user
 * when the sources are loaded, which root's own folders may keep from others.
 */
async function reader(): Promise<() => Promise<unknown>> {
  for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o444)
  chmodSync(folder, 0o555)
  const script = join(folder, '..', 'reader.mjs')
  writeFileSync(script, READER)
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  onTestFinished(() => void child.kill())
  const first = await Promise.race([once(child, 'message'), once(child, 'exit')])
  expect(first[0]).toBe('ready')
  return async () => {
    const answer = once(child, 'message')
    child.send(path)
    return (await answer)[0]
  }
}

describe('a database in a folder that may not be written', () => {
  it('is read while another process has it open, with what that one writes then', async () => {
    written().close()
    const writer = new DatabaseSync(path)
    onTestFinished(() => void writer.close())
    writer.prepare('SELECT * FROM note').all()
    const read = await reader()

    expect(await read()).toBe(1)
    writer.exec('INSERT INTO note VALUES (2)')
    expect(await read()).toBe(2)
  })

  it('is read if no process has it open, also with an empty write-ahead log', async () => {
    written().close()
    writeFileSync(`${path}-wal`, '')
    const read = await reader()

    expect(await read()).toBe(1)
  })

  it('is refused with what to do when its copy has changes in a write-ahead log alone', async () => {
    const original = join(folder, '..', 'original.db')
    written(original)
    for (const end of ['', '-wal']) copyFileSync(`${original}${end}`, `${path}${end}`)
    const read = await reader()

    const line = await read()
    expect(line).toContain(`${path} cannot be read because its last changes are in`)
    expect(line).toContain('copy both')
    expect(line).not.toContain('free space')
  })
})
