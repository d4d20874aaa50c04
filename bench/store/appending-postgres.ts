/**
 * Appends on PostgreSQL: this code against another copy of it in one run, in turns, each with the processor time of Node
 * and of the database server. `node bench/store/appending-postgres.ts [--beside FOLDER] [--quick]`
 */

import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../../test/support/postgres.ts'
import { postgresMs } from '../harness/postgres-cpu.ts'
import { median } from '../harness/timing.ts'

type OpenStore = typeof import('../../src/store/open-store.ts').openStore

const quick = process.argv.includes('--quick')
const SESSIONS = 50
const APPENDS = quick ? 10 : 40
const ROUNDS = quick ? 2 : 5

const beside = process.argv[process.argv.indexOf('--beside') + 1]
const codes: { name: string; openStore: OpenStore }[] = [
  await codeIn('this code', resolve(import.meta.dirname, '../..')),
]
if (process.argv.includes('--beside') && beside !== undefined) codes.push(await codeIn('beside', beside))

const postgres = await startPostgres()
try {
  const results = new Map(codes.map(({ name }) => [name, [] as Round[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, openStore } of codes) results.get(name)?.push(await measured(openStore))
  for (const [name, rounds] of results) {
    const of = (field: keyof Round) => median(rounds.map((round) => round[field]))
    console.log(
      `${name.padEnd(10)} ${Math.round(of('perSecond')).toLocaleString('en')} appends/s · CPU per append: Node ${of('nodeMs').toFixed(3)} ms, PostgreSQL ${of('postgresMs').toFixed(3)} ms · alone ${of('aloneMs').toFixed(2)} ms`,
    )
  }
} finally {
  await postgres.stop()
}

type Round = {
  readonly perSecond: number
  readonly nodeMs: number
  readonly postgresMs: number
  /** An append while nothing else runs. */
  readonly aloneMs: number
}

async function codeIn(name: string, folder: string): Promise<{ name: string; openStore: OpenStore }> {
  const module = (await import(pathToFileURL(join(folder, 'src/store/open-store.ts')).href)) as { openStore: OpenStore }
  return { name, openStore: module.openStore }
}

async function measured(openStore: OpenStore): Promise<Round> {
  const url = await postgres.url()
  const store = await openStore(url)
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => store.createSession({ owner: 'bench', workspace: '' })),
  )
  const say = (id: string, i: number) => {
    const content = `message ${i} ${'what was said, in some words. '.repeat(10)}`
    return store.append(id, [{ type: 'message', message: { role: 'user', content } }], { key: `${i}` })
  }
  for (const { id } of sessions) await say(id, -1)
  const [node, server, started] = [process.cpuUsage(), postgresMs(url), performance.now()]
  await Promise.all(
    sessions.map(async ({ id }) => {
      for (let i = 0; i < APPENDS; i++) await say(id, i)
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  const used = process.cpuUsage(node)
  const servers = postgresMs(url) - server
  const alone: number[] = []
  for (let i = 0; i < 50; i++) {
    const before = performance.now()
    await say(sessions[0]?.id ?? '', APPENDS + i)
    alone.push(performance.now() - before)
  }
  await store.close()
  const appends = SESSIONS * APPENDS
  return {
    perSecond: appends / seconds,
    nodeMs: (used.user + used.system) / 1_000 / appends,
    postgresMs: servers / appends,
    aloneMs: median(alone),
  }
}
