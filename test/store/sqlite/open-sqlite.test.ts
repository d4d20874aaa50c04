import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dataFolder } from '../../../src/config/places/folders.ts'
import { decodeText } from '../../../src/formats/decode.ts'
import { type Entry, messagesOf } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { exportSession } from '../../../src/session/export-session.ts'
import { openSession, sessionSettings } from '../../../src/session/open-session.ts'
import { migrationsOf } from '../../../src/store/migrations.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { HAS_TEXT } from '../../../src/store/rows/redacted-entry.ts'
import { SIGNAL_MS } from '../../../src/store/store.ts'
import { assistant, modelSaying, turns, user } from '../../support/messages.ts'
import { oldSignals } from '../../support/old-signals.ts'
import { countingDeps, temporaryStore } from '../../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>

beforeEach(async () => {
  temporary = await temporaryStore()
})
afterEach(async () => {
  vi.useRealTimers()
  await temporary.remove()
})

describe('a database file', () => {
  it('is readable and writable by its owner only', () => {
    expect(statSync(temporary.path).mode & 0o777).toBe(0o600)
  })

  it('that is damaged is refused in one line and left as it is', async () => {
    const path = `${temporary.path}.damaged`
    const bytes = Buffer.from('this is not a database '.repeat(400))
    writeFileSync(path, bytes)
    await expect(openStore(path)).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.not.stringContaining('\n'),
    })
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('of a newer version is refused in one line that says what to do', async () => {
    await temporary.store.close()
    const database = new DatabaseSync(temporary.path)
    database.exec('PRAGMA user_version = 999')
    database.close()
    await expect(openStore(temporary.path)).rejects.toMatchObject({
      code: 'store-newer',
      message: expect.stringMatching(/update Pith/),
    })
  })

  it('of an older version keeps its sessions, and continues to work', async () => {
    const path = `${temporary.path}.old`
    writeSchema2(path)
    const store = await openStore(path)
    try {
      expect(schemaOf(path)).toBe(migrationsOf('sqlite').at(-1)?.version)
      await store.append('s', [{ type: 'message', message: user('after the change') }])
      const { entries } = await store.entries('s')
      expect(entries.map(({ seq }) => seq)).toEqual([1, 2])
      expect((await store.search({ text: 'of old', session: 's' })).hits).toMatchObject([{ seq: 1 }])
      expect(await store.sessions()).toMatchObject({ sessions: [{ id: 's', lastSeq: 2 }] })
    } finally {
      await store.close()
    }
  })

  it('of an older version keeps the places of signals that were entries, and these say nothing', async () => {
    const path = `${temporary.path}.old`
    writeSchema2(path, oldSignals('s', 2))
    const store = await openStore(path)
    try {
      const { entries, bad } = await store.entries('s')
      expect(bad).toEqual([])
      expect(entries.map(({ type }) => type)).toEqual(['message', 'settings', 'settings', 'settings', 'attempt'])
      expect(entries.slice(1, 4)).toEqual([2, 3, 4].map((seq) => ({ id: `e${seq}`, seq, at: 1, type: 'settings' })))
    } finally {
      await store.close()
    }
  })

  it('in a place that cannot be written is one line', async () => {
    await expect(openStore('/dev/null/pith.db')).rejects.toMatchObject({ code: 'store-unwritable' })
  })

  it('with a row that cannot be read opens without it, and names it', async () => {
    const { store } = temporary
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    await store.append(
      id,
      [user('one'), assistant('two'), user('three')].map((message) => ({ type: 'message', message })),
    )
    const database = new DatabaseSync(temporary.path)
    database.exec("UPDATE entries SET body = '{\"broken' WHERE seq = 2")
    database.close()
    const { view, bad } = await openSession(store, id)
    expect(messagesOf(view)).toEqual([user('one'), user('three')])
    expect(bad).toMatchObject([{ seq: 2, reason: expect.any(String) }])
  })
})

describe('a signal', () => {
  it('is deleted when it was served, and when it is too old', async () => {
    const deps = countingDeps()
    const { store, path, remove } = await temporaryStore(deps)
    onTestFinished(remove)
    const { id: session } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    await store.sendSignal({ session, kind: 'test', body: 'nobody serves it' })
    const stop = store.receiveSignals(({ body }) => body === 'mine')
    await store.sendSignal({ session, kind: 'test', body: 'mine' })
    await expect.poll(() => signalsIn(path)).toEqual(['nobody serves it'])
    stop()
    deps.advance(SIGNAL_MS + 1_000)
    await store.sendSignal({ session, kind: 'test', body: 'new' })
    expect(signalsIn(path)).toEqual(['new'])
    await store.deleteSession(session)
    expect(signalsIn(path)).toEqual([])
  })
})

describe('an entry of another version', () => {
  it('with settings and keys that this one does not know opens, compacts and is exported', async () => {
    const { store } = temporary
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    await store.append(id, [
      { type: 'settings', title: 'mine', policy: { preset: 'agent', keepMessages: 2 } },
      ...turns(20).map((message) => ({ type: 'message' as const, message })),
      { type: 'todo', items: [{ text: 'test it', status: 'pending' }] },
    ])
    const database = new DatabaseSync(temporary.path)
    database.exec(
      `UPDATE entries SET body = json_set(body, '$.policy.keepTurns', 3, '$.policy.mode', 'dream') WHERE seq = 1`,
    )
    database.exec(`UPDATE entries SET body = json_set(body, '$.colour', 'blue') WHERE type <> 'settings'`)
    database.exec(`UPDATE entries SET body = json_set(body, '$.items[0].colour', 'blue') WHERE type = 'todo'`)
    database.close()

    const { log, bad } = await openSession(store, id)
    expect(bad).toEqual([])
    const { policy } = sessionSettings(log)
    expect(policy).toEqual({ preset: 'agent', keepMessages: 2 })
    const result = await compactSession(store, id, {
      holder: 'us',
      policy,
      summaryModels: [modelSaying('the summary')],
    })
    expect(result).toMatchObject({ outcome: 'compacted', summary: 'the summary' })

    const lines: string[] = []
    for await (const line of exportSession(store, id)) lines.push(line)
    const decoded = decodeText(lines.join('\n'))
    expect(decoded).toMatchObject({ ok: true, session: { format: 'pith', issues: [] } })
  })
})

describe('the search index', () => {
  it('is written when no caller waits for it, and a search finds the same before and after', async () => {
    const { store, path } = temporary
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    for (let i = 1; i <= 130; i++) await store.append(id, [{ type: 'message', message: user(`word-${i}-end`) }])
    const seqs = async () => {
      const found = await Promise.all([1, 3, 130].map((i) => store.search({ text: `"word-${i}-end"` })))
      return found.map(({ hits }) => hits.map(({ seq }) => seq))
    }
    expect(indexedUpTo(path)).toBe(0)
    expect(await seqs()).toEqual([[1], [3], [130]])
    await expect.poll(() => indexedUpTo(path), { timeout: 30_000 }).toBe(130)
    expect(await seqs()).toEqual([[1], [3], [130]])
    await store.redact(id, [3])
    expect(await seqs()).toEqual([[1], [], [130]])
  })

  it('is freed of redacted texts by the next process, if one died before', async () => {
    const { path } = temporary
    await redactInPart()
    // As a process that dies now leaves it.
    const left = `${path}-left`
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end)
    expect(marksIn(left)).toBe(1)
    const next = await openStore(left)
    await next.close()
    expect(marksIn(left)).toBe(0)
  })

  it('is freed of redacted texts by the next process before it writes or ends', async () => {
    const { path } = temporary
    await redactInPart()
    const left = `${path}-left`
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end)
    vi.useFakeTimers(TIMERS)
    const next = await openStore(left)
    onTestFinished(() => next.close())
    vi.advanceTimersByTime(2_000)
    expect(marksIn(left)).toBe(0)
  })

  it('is freed of redacted texts soon after another process has held the file', async () => {
    const { path } = temporary
    vi.useFakeTimers(TIMERS)
    await redactInPart()
    const free = held(path, 'BEGIN IMMEDIATE')
    vi.advanceTimersByTime(2_000)
    free()
    expect(marksIn(path)).toBe(1)
    vi.advanceTimersByTime(2_000)
    expect(marksIn(path)).toBe(0)
  })

  it('is freed of redacted texts by a close after another process has held the file', async () => {
    const { store, path } = temporary
    vi.useFakeTimers(TIMERS)
    await redactInPart()
    const free = held(path, 'BEGIN IMMEDIATE')
    vi.advanceTimersByTime(2_000)
    free()
    await store.close()
    expect(marksIn(path)).toBe(0)
  })

  it('leaves no redacted text in the write-ahead log, once no reader needs that any more', async () => {
    const { path } = temporary
    const hasText = () => readFileSync(`${path}-wal`).includes('word-2-end')
    vi.useFakeTimers(TIMERS)
    const reading: (() => void)[] = []
    await redactInPart(() => reading.push(held(path, 'BEGIN; SELECT count(*) FROM entries')))
    vi.advanceTimersByTime(2_000)
    expect(hasText()).toBe(true)
    for (const free of reading) free()
    vi.advanceTimersByTime(2_000)
    expect(hasText()).toBe(false)
  })

  it('lets a redaction find the changes with texts among thousands of redactions', () => {
    const database = new DatabaseSync(temporary.path)
    const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT seq FROM entries WHERE session_id = '' AND ${HAS_TEXT}`)
    expect(JSON.stringify(plan.all())).toContain('entries_with_text')
    database.close()
  })

  it('is written at the latest when the store is closed', async () => {
    const { store, path } = temporary
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    for (let i = 1; i <= 130; i++) await store.append(id, [{ type: 'message', message: user(`word-${i}-end`) }])
    expect(indexedUpTo(path)).toBe(0)
    await store.close()
    expect(indexedUpTo(path)).toBe(130)
  })

  it('does not wait for a pause that never comes', async () => {
    const { store, path } = temporary
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    // Each append is done when it is answered: no timer gets a turn in between.
    for (let i = 1; i <= 520; i++) await store.append(id, [{ type: 'message', message: user(`word-${i}-end`) }])
    expect(indexedUpTo(path)).toBeGreaterThan(500)
  })
})

const TIMERS = { toFake: ['setTimeout', 'clearTimeout'] } satisfies Parameters<typeof vi.useFakeTimers>[0]

/** Appends as many messages as are indexed at once, and redacts one of them. */
async function redactInPart(between = () => {}): Promise<void> {
  const { store } = temporary
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const texts = Array.from({ length: 130 }, (_, i) => `word-${i}-end`)
  await store.append(
    id,
    texts.map((text) => ({ type: 'message', message: user(text) })),
  )
  between()
  await store.redact(id, [3])
}

/** Holds the file as another process does, until the returned function is called. */
function held(path: string, sql: string): () => void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  return () => database.close()
}

/** How many redacted or deleted entries the search index may still have words of. */
function marksIn(path: string): number {
  const database = new DatabaseSync(path)
  const { marks } = database.prepare('SELECT count(*) AS marks FROM index_gone').get() ?? {}
  database.close()
  return Number(marks)
}

function indexedUpTo(path: string): number {
  const database = new DatabaseSync(path)
  const { indexed } = database.prepare('SELECT indexed FROM index_progress').get() ?? {}
  database.close()
  return Number(indexed)
}

function signalsIn(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('SELECT body FROM signals ORDER BY id').all()
  database.close()
  return rows.map(({ body }) => body)
}

function schemaOf(path: string): number {
  const database = new DatabaseSync(path)
  const { user_version } = database.prepare('PRAGMA user_version').get() ?? {}
  database.close()
  return Number(user_version)
}

/** A database as it was before it had fewer pages to write. */
function writeSchema2(path: string, more: readonly Entry[] = []): void {
  const database = new DatabaseSync(path)
  for (const { sql } of migrationsOf('sqlite').slice(0, 2)) database.exec(sql)
  const entry = { id: 'e', seq: 1, at: 1, type: 'message', message: user('said of old') }
  database.exec(`PRAGMA user_version = 2;
    INSERT INTO sessions (id, owner, workspace, created_at, updated_at, last_seq, revision) VALUES ('s', 'ann', '/repo', 1, 1, 1, 0);
    INSERT INTO entries (session_id, seq, id, type, asks, body) VALUES ('s', 1, 'e', 'message', 1, '${JSON.stringify(entry)}')`)
  const insert = database.prepare(
    `INSERT INTO entries (session_id, seq, id, type, asks, body) VALUES ('s', ?, ?, ?, 0, ?)`,
  )
  for (const each of more) insert.run(each.seq, each.id, each.type, JSON.stringify(each))
  database.close()
}

describe('the data folder', () => {
  it('is the user’s choice, else the platform’s', () => {
    expect(dataFolder({ PITH_HOME: '/elsewhere' }, 'linux')).toBe('/elsewhere')
    expect(dataFolder({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/pith')
    expect(dataFolder({}, 'darwin')).toMatch(/Library\/Application Support\/pith$/)
  })
})
