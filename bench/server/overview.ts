/**
 * The overview of all sessions and the search in them, with 2,000 sessions of 100 entries, on SQLite and on PostgreSQL: until everything
 * is counted, once it is, after one session has grown, and in a new process. `node bench/server/overview.ts [--quick]`
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { EntryDraft } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import { serverHome } from '../../test/server/support/processes.ts'
import { call, result, user } from '../../test/support/messages.ts'
import { startModelServer } from '../../test/support/model-server/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'

const quick = process.argv.includes('--quick')
const SESSIONS = quick ? 200 : 2_000
const ENTRIES = 100
const PROGRAM = resolve(import.meta.dirname, '../../src/cli/main.ts')
const model = await startModelServer({ brain: () => ({ text: 'Hello.' }), window: 20_000 })
const postgres = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'pith-bench-'))

try {
  console.log(`${SESSIONS} sessions of ${ENTRIES} entries, Node ${process.version}, milliseconds\n`)
  await measured('SQLite', join(folder, 'pith.db'))
  await measured('PostgreSQL', await postgres.url())
} finally {
  rmSync(folder, { recursive: true, force: true })
  await model.close()
  await postgres.stop()
}

async function measured(name: string, where: string): Promise<void> {
  const first = await fill(where)
  const home = serverHome(where, model, {}, PROGRAM)
  try {
    const server = await home.start(['--quiet'])
    const { longest, all } = await untilCounted(server)
    console.log(`${name}: the first count takes ${all} in all, the longest answer ${longest}`)
    console.log(`  then                    ${await repeated(() => server.ask('GET', '/v1/overview'))}`)
    const append = { messages: [{ message: { role: 'user', content: 'one more' } }] }
    const grown = async () => {
      await server.ask('POST', `/v1/sessions/${first}/messages`, append)
      return timed(() => server.ask('GET', '/v1/overview'))
    }
    console.log(`  after an append         ${(await grown()).ms}`)
    for (const q of ['rareword1234', 'message', 'of'])
      console.log(`  search ${q.padEnd(16)} ${await repeated(() => server.ask('GET', `/v1/search?q=${q}`))}`)
    console.log(
      `  with a filter           ${await repeated(() => server.ask('GET', '/v1/search?q=message&agent=Pith'))}`,
    )
    const other = await home.start(['--quiet'])
    const again = await untilCounted(other)
    console.log(`  in a new process        ${again.all}, the longest answer ${again.longest}`)
  } finally {
    await home.stop()
  }
}

type Asked = Awaited<ReturnType<ReturnType<typeof serverHome>['start']>>

async function untilCounted(server: Asked): Promise<{ longest: number; all: number }> {
  const start = performance.now()
  let longest = 0
  for (;;) {
    const { ms, value } = await timed(() => server.ask('GET', '/v1/overview'))
    longest = Math.max(longest, ms)
    if (value.status !== 200) throw new Error(JSON.stringify(value.body))
    if (value.body.uncounted === 0) return { longest, all: Math.round(performance.now() - start) }
  }
}

async function repeated(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < 10; i++) times.push((await timed(work)).ms)
  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[4]} (at most ${sorted[9]})`
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: Math.round(performance.now() - start), value }
}

/** Work with tools, as agents do it. */
async function fill(where: string): Promise<string> {
  const store = await openStore(where)
  let first = ''
  for (let i = 0; i < SESSIONS; i++) {
    const { id } = await store.createSession({ owner: 'local', workspace: `/repo/${i % 40}`, title: `Session ${i}` })
    await store.append(
      id,
      Array.from({ length: ENTRIES }, (_, at) => draft(i, at)),
    )
    if (i === 0) first = id
  }
  await store.close()
  return first
}

function draft(session: number, at: number): EntryDraft {
  const id = `${at - (at % 3)}`
  if (at % 3 === 0) {
    const rare = at === 0 && session === 1_234 % SESSIONS ? 'rareword1234' : ''
    return { type: 'message', message: user(`message ${at} of session ${session} ${rare} ${'words '.repeat(40)}`) }
  }
  if (at % 3 === 2) return { type: 'message', message: result(`c${id}`, `const value${at} = ${session}\n`.repeat(60)) }
  const usage = { inputTokens: 2_000 + at * 100, outputTokens: 100 }
  const message = call(`c${id}`, 'read', { path: `src/file${at}.ts` })
  return { type: 'message', message, usage, model: 'anthropic/claude-sonnet-4-5' }
}
