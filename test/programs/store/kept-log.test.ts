import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkSqlite } from '../../../src/store/sqlite/check-sqlite.ts'
import { hasPython, NO_PYTHON, readElsewhere } from '../../support/other-reader.ts'

if (!hasPython) console.warn(NO_PYTHON)

const WORKER = join(import.meta.dirname, '../../support/two-stores-worker.ts')

/** A process with two stores on a new file. `store` returns what it prints about each message. */
async function twoStores() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'pith.db')
  const child = spawn(process.execPath, [WORKER, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const printed = async () => String((await lines.next()).value)
  expect(await printed()).toBe('ready')
  const store = async (...texts: string[]) => {
    child.stdin.write(texts.map((text) => `${text}\n`).join(''))
    const answers: string[] = []
    while (answers.length < texts.length) answers.push(await printed())
    return answers
  }
  const pid = child.pid
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await once(child, 'exit')
  }
  return { path, pid, store, end }
}

/** The user's messages in a database, which has to be sound. */
function messagesIn(path: string): string[] {
  const database = new DatabaseSync(path)
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const bodies = database.prepare("SELECT body FROM entries WHERE type = 'message' ORDER BY seq").all()
    return bodies.map(({ body }) => JSON.parse(String(body)).message.content)
  } finally {
    database.close()
  }
}

describe.skipIf(!hasPython)('a process that opens its store twice', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses nothing that it stored after another program read the file, ended by %s',
    async (signal) => {
      const { path, store, end } = await twoStores()
      readElsewhere(path)
      const texts = Array.from({ length: 20 }, (_, i) => `message ${i}`)
      expect(await store(...texts)).toEqual(texts.map((text) => `stored ${text}`))
      await end(signal)
      expect(messagesIn(path)).toEqual(['before', ...texts])
    },
  )
})

describe('a write-ahead log that another program deletes', () => {
  it('is noticed: nothing more is acknowledged, and what others store since is not overwritten', async () => {
    const { path, pid, store, end } = await twoStores()
    expect(await store('kept')).toEqual(['stored kept'])
    for (const name of ['-wal', '-shm']) rmSync(path + name)
    const other = new DatabaseSync(path)
    other.exec("CREATE TABLE others (text TEXT); INSERT INTO others VALUES ('theirs')")
    const refused = `refused: ${path} lost its write-ahead log: another program deleted it while this process had the database open. Nothing more is stored: end this process, then run pith store check`
    expect(await store('late', 'later')).toEqual([refused, refused])
    if (process.platform === 'linux')
      expect(checkSqlite(path).problems[0]).toMatch(`process ${pid} writes to a write-ahead log that was deleted`)
    await end('SIGTERM')
    expect(other.prepare('SELECT text FROM others').all()).toEqual([{ text: 'theirs' }])
    expect(other.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    other.close()
  })
})
