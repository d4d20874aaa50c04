import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EntryDraft } from '../../../../src/model/types.ts'
import { openSession } from '../../../../src/session/open-session.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { checkSqlite } from '../../../../src/store/sqlite/check-sqlite.ts'
import { salvageSqlite } from '../../../../src/store/sqlite/salvage/salvage-sqlite.ts'
import { compaction } from '../../../support/compaction.ts'
import { configFolders } from '../../../support/config-folders.ts'
import { full } from '../../../support/full.ts'

const PAGE = 4_096
const TRIALS = full ? 400 : 8

/** Entries of many sizes: of a few bytes, of a page, and of many pages. */
function drafts(n: number): EntryDraft[] {
  return Array.from({ length: n }, (_, i) => ({
    type: 'message',
    message: { role: i % 2 === 0 ? 'user' : 'assistant', content: `entry ${i} ${'x'.repeat((i * 977) % 9_000)}é` },
  }))
}

/** A database file with two sessions and a fork, closed or with its write-ahead log still beside it. */
async function sound(folder: string) {
  const path = join(folder, 'pith.db')
  const store = await openStore(path)
  const one = await store.createSession({ owner: 'ann', workspace: '/one', title: 'one' })
  const two = await store.createSession({ owner: 'ann', workspace: '/two' })
  for (let i = 0; i < 6; i++) {
    await store.append(one.id, drafts(20))
    await store.append(two.id, drafts(10))
  }
  await store.append(one.id, [compaction({ from: 1, upTo: 50 })])
  const fork = await store.createSession({ owner: 'ann', workspace: '/one', parent: { id: one.id, seq: 60 } })
  await store.append(fork.id, drafts(5))
  const log = async (id: string) => (await store.entries(id)).entries
  const logs = { [one.id]: await log(one.id), [two.id]: await log(two.id), [fork.id]: await log(fork.id) }
  return { path, store, logs, ids: [one.id, two.id, fork.id] }
}

async function logsOf(path: string, ids: readonly string[]) {
  const store = await openStore(path)
  const logs = await Promise.all(ids.map(async (id) => [id, (await store.entries(id)).entries] as const))
  for (const id of ids) await openSession(store, id)
  await store.close()
  return Object.fromEntries(logs)
}

describe('a salvage', () => {
  it('copies all of a sound database, also what only its write-ahead log has', async () => {
    const { workspace } = configFolders()
    const { path, store, logs, ids } = await sound(workspace)
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(PAGE)
    const whole = salvageSqlite(path, join(workspace, 'open.db'))
    await store.close()
    expect(whole).toMatchObject({ sessions: 3, lost: [], unnamed: [] })
    expect(await logsOf(join(workspace, 'open.db'), ids)).toEqual(logs)
    salvageSqlite(path, join(workspace, 'closed.db'))
    expect(await logsOf(join(workspace, 'closed.db'), ids)).toEqual(logs)
    expect(checkSqlite(join(workspace, 'closed.db'))).toMatchObject({ sessions: 3, problems: [] })
  })

  it('loses only what is on a damaged page, and lists it', async () => {
    const { workspace } = configFolders()
    const { path, store, logs, ids } = await sound(workspace)
    await store.close()
    const bytes = readFileSync(path)
    const pages = bytes.length / PAGE
    const all = Object.values(logs).flat().length - 60
    let opened = 0
    for (let trial = 0; trial < TRIALS; trial++) {
      // Every page in turn, the first and those in the middle of a tree among them.
      const page = Math.floor((trial * pages) / TRIALS)
      const damaged = Buffer.from(bytes)
      damaged.fill(trial % 2 === 0 ? 0 : 0xa5, page * PAGE, (page + 1) * PAGE)
      const file = join(workspace, `damaged-${trial}.db`)
      writeFileSync(file, damaged)
      const { entries, lost, unnamed } = salvageSqlite(file, join(workspace, `saved-${trial}.db`))
      const reported = lost.reduce((sum, { seqs }) => sum + seqs.length, 0)
      // An entry has nine kilobytes at most: a page has parts of a few dozen at most.
      expect(entries, `page ${page}`).toBeGreaterThan(all - 60)
      if (unnamed.length === 0) expect(entries + reported, `page ${page}`).toBe(all)
      const saved = await logsOf(
        join(workspace, `saved-${trial}.db`),
        ids.filter((id) => !unnamed.includes(id)),
      )
      for (const [id, log] of Object.entries(saved)) {
        const known = new Map(logs[id]?.map((entry) => [entry.seq, entry]))
        for (const entry of log) expect(entry).toEqual(known.get(entry.seq))
      }
      opened++
    }
    expect(opened).toBe(TRIALS)
  })

  it('says in one line what cannot be salvaged', () => {
    const { workspace } = configFolders()
    const file = join(workspace, 'no.db')
    writeFileSync(file, Buffer.alloc(20_000, 0xa5))
    expect(() => salvageSqlite(file, join(workspace, 'new.db'))).toThrow('has no session that can be read')
    expect(() => salvageSqlite(file, file)).toThrow('exists already')
    expect(() => salvageSqlite(join(workspace, 'gone.db'), file)).toThrow('there is no file')
  })
})
