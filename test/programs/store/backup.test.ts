import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import type { SessionId, Store } from '../../../src/store/store.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

const message = (content: string) => ({ type: 'message', message: { role: 'user', content } }) as const

/** Appends until it is ended; says how many entries were acknowledged so far. */
function writer(store: Store, id: SessionId) {
  let acknowledged = 0
  let isEnded = false
  const done = (async () => {
    while (!isEnded) {
      await store.append(id, [message(`entry ${acknowledged + 1}`)])
      acknowledged++
      // SQLite answers at once: without a pause nothing else would run.
      await setImmediate()
    }
  })()
  const end = async () => {
    isEnded = true
    await done
  }
  return { acknowledged: () => acknowledged, end }
}

/** The copy has what was acknowledged before it was begun, without gaps, and can be continued. */
async function check(url: string, id: SessionId, atLeast: number): Promise<void> {
  const store = await openStore(url)
  const { lastSeq = 0 } = (await store.session(id)) ?? {}
  const seqs = (await store.entries(id, { limit: 100_000 })).entries.map(({ seq }) => seq)
  expect(seqs).toEqual(Array.from({ length: lastSeq }, (_, i) => i + 1))
  expect(lastSeq).toBeGreaterThanOrEqual(atLeast)
  expect(await store.append(id, [message('after the restore')])).toMatchObject({ ok: true })
  expect((await store.session(id))?.lastSeq).toBe(lastSeq + 1)
  await store.close()
}

it('SQLite: a backup during writes, put where the database was', async () => {
  const folders = configFolders()
  const path = join(folders.env.PITH_HOME ?? '', 'pith.db')
  const copy = join(folders.home, 'copy.db')
  const store = await openStore(path)
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const writing = writer(store, id)
  await expect.poll(writing.acknowledged).toBeGreaterThan(5)
  const before = writing.acknowledged()
  const made = await pith(folders, ['store', 'backup', copy])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  await writing.end()
  await store.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  copyFileSync(copy, path)
  await check(path, id, before)
  expect((await pith(folders, ['store', 'check'])).stdout).toContain('no damage')
})

describe.runIf(full && hasClient())('PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('a dump during writes, restored into a second database', async () => {
    const [from, to] = [await postgres.readyUrl(), await postgres.url()]
    const store = await openStore(from)
    const { id } = await store.createSession({ owner: 'alice', workspace: '/w' })
    const writing = writer(store, id)
    await expect.poll(writing.acknowledged).toBeGreaterThan(5)
    const before = writing.acknowledged()
    const folders = configFolders()
    const dump = join(folders.home, 'pith.dump')
    await run('pg_dump', '--format', 'custom', '--file', dump, from)
    await writing.end()
    await store.close()
    await run('pg_restore', '--dbname', to, '--clean', '--if-exists', '--no-owner', dump)
    await check(to, id, before)
    expect((await pith(folders, ['store', 'check'], { PITH_STORE: to })).stdout).toContain('no damage')
  })
})

/** In a process beside this one, so that the writer continues. */
async function run(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(program, args)
}

/** The server of the tests is 18 and has no `pg_dump`; an older one refuses to dump it. */
function hasClient(): boolean {
  try {
    return Number(/\d+/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[0]) >= 18
  } catch {
    return false
  }
}
