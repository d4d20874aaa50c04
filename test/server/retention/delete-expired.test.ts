import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keptContents } from '../../../src/agent/checkpoints/open-keeper.ts'
import { shortSessionId } from '../../../src/contract/shapes/agent-id.ts'
import {
  deleteExpired,
  expiredSessions,
  expiryOf,
  measureExpired,
} from '../../../src/server/retention/delete-expired.ts'
import { keepPage, projectPage, sessionPage } from '../../../src/store/memory-pages.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { FileIndex, indexPath } from '../../../src/store/sqlite/file-index.ts'
import { type Session, type SessionDraft, SIDE_HOLDER, type Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'

const DAY = 86_400_000
const now = Date.now()
const never = new AbortController().signal

async function world() {
  const data = mkdtempSync(join(tmpdir(), 'pith-retention-'))
  const store = await openStore(join(data, 'pith.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(data, { recursive: true, force: true })
  })
  return { store, settings: { store: undefined }, folders: { data } }
}

/** A session to which something was said this many days ago for the last time. */
async function session(store: Store, days: number, draft: Partial<SessionDraft> = {}): Promise<Session> {
  const at = now - days * DAY
  const made = await store.createSession({ owner: 'ann', workspace: '/repo', createdAt: at, ...draft })
  await store.append(made.id, [{ type: 'message', message: user(`heron ${days}`) }], { times: [at] })
  return made
}

it.each([
  ['the first rule that fits decides', { owner: 'ann', workspace: '/repo' }, 90],
  ['an owner', { owner: 'bob', workspace: '/elsewhere' }, 7],
  ['a folder below a project', { owner: 'bob', workspace: '/repo/sub' }, 365],
  ['a folder whose name only begins like it', { owner: 'bob', workspace: '/repository' }, 7],
  ['a project on Windows', { owner: 'eve', workspace: 'C:\\work\\sub' }, 30],
  ['never', { owner: 'eve', workspace: '/kept' }, undefined],
  ['no rule', { owner: 'eve', workspace: '' }, undefined],
])('expiry: %s', (_, { owner, workspace }, days) => {
  const rules = [
    { olderThanMs: 90 * DAY, owner: 'ann', project: '/repo/' },
    { olderThanMs: 365 * DAY, project: '/repo' },
    { olderThanMs: 7 * DAY, owner: 'bob' },
    { project: '/kept' },
    { olderThanMs: 30 * DAY, project: 'C:\\work' },
    { olderThanMs: 1, project: '/' },
  ]
  const since = expiryOf(rules, { owner, workspace }, now)
  expect(since === undefined ? undefined : (now - since) / DAY).toBe(days)
})

it('a dry run counts what the deletion then deletes; forks keep what they share, and new and busy sessions stay', async () => {
  const files = await world()
  const { store } = files
  const parent = await session(store, 100)
  const fork = await session(store, 1, { parent: { id: parent.id, seq: 1 } })
  const old = await session(store, 100)
  const side = await session(store, 100)
  await store.markChain(side.id, [], SIDE_HOLDER)
  const busy = await session(store, 100)
  await store.acquireLease(busy.id, 'a turn', 60_000)
  const foreign = await session(store, 100, { owner: 'bob' })

  const expired = await expiredSessions(store, [{ olderThanMs: 90 * DAY, owner: 'ann' }], now)
  const dry = await measureExpired(store, expired)
  expect(dry).toMatchObject({ sessions: 3, entries: 2, kept: [{ session: parent.id, entries: 1 }], left: 0 })
  // Somebody resumes one of them between the dry run and the deletion.
  await store.append(old.id, [{ type: 'message', message: user('again') }])
  const done = await deleteExpired(files, expired, { signal: never })
  expect(done).toMatchObject({ sessions: 2, entries: 1, kept: dry.kept, left: 0 })
  const left = [(await store.sessions()).sessions, (await store.sessions({ holder: SIDE_HOLDER })).sessions]
  expect(new Set(left.flat().map(({ id }) => id))).toEqual(new Set([fork.id, old.id, busy.id, foreign.id]))
  expect((await store.entries(fork.id)).entries).toHaveLength(2)
})

it('a deletion reaches the contents of checkpoints, pages, notes and links, and leaves those of others', async () => {
  const files = await world()
  const { store, folders, settings } = files
  const [gone, stays] = [await session(store, 100), await session(store, 1)]
  const contents = keptContents(folders.data, settings)
  const [own, shared] = [contents.put(Buffer.from('only its own')), contents.put(Buffer.from('of both'))]
  for (const hash of [own, shared]) utimesSync(contents.pathOf(hash), new Date(now - DAY), new Date(now - DAY))
  await contents.refer(gone.id, [own, shared])
  await contents.refer(stays.id, [shared])
  mkdirSync(join(contents.folder, 'pending'))
  writeFileSync(join(contents.folder, 'pending', `${gone.id}.1`), 'snapshot')
  const pages = {
    own: sessionPage(folders.data, gone.id),
    quoting: projectPage(folders.data, 'repo'),
    started: sessionPage(folders.data, stays.id),
    other: projectPage(folders.data, 'other'),
  }
  const quote = `- "use tabs" (2026-08-01, ${shortSessionId(gone.id)}#1)`
  keepPage(pages.own, 'a page')
  keepPage(pages.quoting, quote)
  keepPage(pages.started, quote)
  keepPage(pages.other, `- "use spaces" (2026-08-01, ${shortSessionId(stays.id)}#1)`)
  const index = FileIndex.open(indexPath(folders.data))
  for (const { id } of [gone, stays])
    for (const name of [id, `memory delegated ${id}`]) index.keepNote(name, 1, 'heron')
  index.keepNote('redacted', 1, '')
  index.close()

  const expired = await expiredSessions(store, [{ olderThanMs: 90 * DAY }], now)
  await deleteExpired(files, expired, { signal: never })
  expect([own, shared].map((hash) => contents.has(hash))).toEqual([false, true])
  expect(existsSync(join(contents.folder, 'refs', gone.id))).toBe(false)
  expect(existsSync(join(contents.folder, 'pending', `${gone.id}.1`))).toBe(false)
  expect(Object.values(pages).map((page) => existsSync(page))).toEqual([false, false, false, true])
  const after = FileIndex.open(indexPath(folders.data))
  onTestFinished(() => after.close())
  expect(after.noteNames().toSorted()).toEqual([stays.id, `memory delegated ${stays.id}`, 'redacted'].toSorted())
  expect((await store.search({ text: 'heron' })).hits.map((hit) => hit.session)).toEqual([stays.id])
})

it('a cancelled deletion ends after the current session, and says how many are left', async () => {
  const files = await world()
  for (let i = 0; i < 5; i++) await session(files.store, 100 + i)
  const stop = new AbortController()
  const expired = await expiredSessions(files.store, [{ olderThanMs: DAY }], now)
  const seen: number[] = []
  const progress = (done: number, all: number) => {
    seen.push(done, all)
    if (done === 2) stop.abort()
  }
  const done = await deleteExpired(files, expired, { signal: stop.signal, progress })
  expect(done).toMatchObject({ sessions: 2, entries: 2, left: 3 })
  expect(seen).toEqual([1, 5, 2, 5])
  expect((await files.store.sessions()).sessions).toHaveLength(3)
})
