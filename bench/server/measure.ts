/**
 * The server under load: 200 sessions at once, appends and context queries, a compaction now and then, on SQLite and on
 * PostgreSQL with 1, 2 and 4 processes; as ratios against the bare store and a bare Hono route in the same run. A ratio
 * is of requests per second, all kinds together, so a compaction counts as one. Then clients that misbehave.
 * `node bench/server/measure.ts [--quick | --clients]`
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { openStore } from '../../src/store/open-store.ts'
import { type LoadResult, lostEntries, runLoad } from '../../test/server/support/load.ts'
import { type ServerProcess, serverHome } from '../../test/server/support/processes.ts'
import { startModelServer } from '../../test/support/model-server/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { measureClients } from './clients.ts'

const quick = process.argv.includes('--quick')
const SESSIONS = 200
const REQUESTS = quick ? 12 : 50
const PROGRAM = resolve(import.meta.dirname, '../../src/cli/main.ts')

const model = await startModelServer({ brain: () => ({ text: 'A short summary of what they said.' }), window: 20_000 })
const postgres = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'pith-bench-'))
try {
  if (!process.argv.includes('--clients')) await load()
  await measureClients({ where: join(folder, 'clients.db'), model, program: PROGRAM, long: !quick })
} finally {
  rmSync(folder, { recursive: true, force: true })
  await model.close()
  await postgres.stop()
}

async function load(): Promise<void> {
  console.log(
    `${SESSIONS} sessions at once, ${REQUESTS} requests each, ${cpus().length} cores, Node ${process.version}\n`,
  )
  const route = await bareHono()
  const sqlite = await bareStore(join(folder, 'bare.db'))
  const pg = await bareStore(await postgres.url())
  console.log(`bare Hono route        ${rate(route)} requests/s`)
  console.log(`bare SQLite            ${rate(sqlite)} appends/s`)
  console.log(`bare PostgreSQL        ${rate(pg)} appends/s`)
  console.log(
    '\nstore       processes  requests/s  of the route  of the store  append p50/p95/p99 ms  context p95/p99 ms  compact p95/p99 ms  CPU ms/request  errors  lost',
  )
  await measured({ name: 'SQLite', where: join(folder, 'pith.db'), processes: 1, route, store: sqlite })
  for (const processes of [1, 2, 4])
    await measured({ name: 'PostgreSQL', where: await postgres.url(), processes, route, store: pg })
  console.log('')
}

type Case = {
  readonly name: string
  readonly where: string
  readonly processes: number
  /** Requests of the bare route and appends of the bare store in a second. */
  readonly route: number
  readonly store: number
}

async function measured({ name, where, processes, route, store }: Case): Promise<void> {
  const home = serverHome(where, model, {}, PROGRAM)
  try {
    const first = await home.start(['--quiet'])
    const others = await Promise.all(Array.from({ length: processes - 1 }, () => home.start(['--quiet'])))
    const urls = [first, ...others].map(({ url }) => url)
    const servers = [first, ...others]
    const before = await cpuOf(servers)
    const result = await runLoad({ urls: () => urls, token: first.token, sessions: SESSIONS, requests: REQUESTS })
    const used = (await cpuOf(servers)) - before
    const lost = await lostIn(where, result)
    const { append, context, compact } = result.latencies
    const requests = append.length + context.length + compact.length
    const perSecond = requests / result.seconds
    console.log(
      [
        name.padEnd(12),
        String(processes).padEnd(11),
        rate(perSecond).padEnd(12),
        (perSecond / route).toFixed(2).padEnd(14),
        (perSecond / store).toFixed(2).padEnd(14),
        `${at(append, 50)}/${at(append, 95)}/${at(append, 99)}`.padEnd(23),
        `${at(context, 95)}/${at(context, 99)}`.padEnd(20),
        `${at(compact, 95)}/${at(compact, 99)}`.padEnd(20),
        ((used * 1_000) / requests).toFixed(1).padEnd(16),
        String(result.errors.length).padEnd(8),
        String(lost.length),
      ].join(''),
    )
    for (const error of result.errors.slice(0, 3)) console.log(`  ${error}`)
  } finally {
    await home.stop()
  }
}

/** CPU time of the servers so far. On a busy machine it says more than the clock. */
async function cpuOf(servers: readonly ServerProcess[]): Promise<number> {
  const texts = await Promise.all(servers.map(async (server) => String((await server.ask('GET', '/metrics')).body)))
  return texts.reduce((sum, text) => sum + Number(/^pith_cpu_seconds (\S+)$/m.exec(text)?.[1] ?? 0), 0)
}

async function lostIn(where: string, result: LoadResult): Promise<string[]> {
  const store = await openStore(where)
  const problems = await lostEntries(result, async (session) => {
    const { entries } = await store.entries(session, { only: 'messages' })
    return entries.flatMap((entry) =>
      entry.type === 'message' ? [{ seq: entry.seq, text: String(entry.message.content) }] : [],
    )
  })
  await store.close()
  return problems
}

/** Appends of the same size without a server, as many at once. */
async function bareStore(where: string): Promise<number> {
  const store = await openStore(where)
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => store.createSession({ owner: 'bench', workspace: '' })),
  )
  const started = performance.now()
  await Promise.all(
    sessions.map(async ({ id }) => {
      for (let i = 0; i < REQUESTS; i++) {
        const content = `message ${i} ${'what was said, in some words. '.repeat(10)}`
        await store.append(id, [{ type: 'message', message: { role: 'user', content } }], { key: `${i}` })
      }
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  await store.close()
  return (SESSIONS * REQUESTS) / seconds
}

/** A route that only answers with JSON of the same size, over the same client. */
async function bareHono(): Promise<number> {
  const app = new Hono()
  app.post('/', async (context) => context.json({ said: (await context.req.text()).length }))
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = JSON.stringify({ text: 'what was said, in some words. '.repeat(10) })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      for (let i = 0; i < REQUESTS; i++) await (await fetch(url, { method: 'POST', body })).text()
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  server.closeAllConnections()
  server.close()
  return (SESSIONS * REQUESTS) / seconds
}

function at(values: readonly number[], percent: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0).toFixed(0)
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en')
}
