/**
 * Appends on PostgreSQL: this code, another copy of it, and the bare client with one prepared INSERT and one commit for each,
 * in one run, in turns, each with the processor time of Node and of the database server.
 * `node bench/store/appending-postgres.ts [--beside FOLDER] [--quick]`
 */

import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../../test/support/postgres.ts'
import { postgresMs } from '../harness/postgres-cpu.ts'
import { median } from '../harness/timing.ts'

type OpenStore = typeof import('../../src/store/open-store.ts').openStore

const quick = process.argv.includes('--quick')
const SESSIONS = 50
const APPENDS = quick ? 10 : 40
const ROUNDS = quick ? 2 : 5

const beside = process.argv[process.argv.indexOf('--beside') + 1]
const writers: { name: string; open: OpenWriter }[] = [
  { name: 'this code', open: await storeIn(resolve(import.meta.dirname, '../..')) },
  { name: 'bare INSERT', open: bareClient },
]
if (process.argv.includes('--beside') && beside !== undefined)
  writers.push({ name: 'beside', open: await storeIn(beside) })

const postgres = await startPostgres()
try {
  const results = new Map(writers.map(({ name }) => [name, [] as Round[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, open } of writers) results.get(name)?.push(await measured(open))
  const own = medianOf(results.get('this code') ?? [], 'perSecond')
  for (const [name, rounds] of results) {
    const of = (field: keyof Round) => medianOf(rounds, field)
    console.log(
      `${name.padEnd(12)} ${Math.round(of('perSecond')).toLocaleString('en').padStart(6)} appends/s · CPU per append: Node ${of('nodeMs').toFixed(3)} ms, PostgreSQL ${of('postgresMs').toFixed(3)} ms, so ${Math.round(1_000 / (of('nodeMs') + of('postgresMs'))).toLocaleString('en')} appends for each second of a core · alone ${of('aloneMs').toFixed(2)} ms${name === 'this code' ? '' : ` · this code does ${(own / of('perSecond')).toFixed(1)} times as many`}`,
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

/** Appends one message to one of its sessions. */
type Writer = { say(session: number, i: number): Promise<unknown>; close(): Promise<void> }
type OpenWriter = (url: string) => Promise<Writer>

async function storeIn(folder: string): Promise<OpenWriter> {
  const { openStore } = (await import(pathToFileURL(join(folder, 'src/store/open-store.ts')).href)) as {
    openStore: OpenStore
  }
  return async (url) => {
    const store = await openStore(url)
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () => store.createSession({ owner: 'bench', workspace: '' })),
    )
    return {
      say: (session, i) =>
        store.append(
          sessions[session]?.id ?? '',
          [{ type: 'message', message: { role: 'user', content: textOf(i) } }],
          { key: `${i}` },
        ),
      close: () => store.close(),
    }
  }
}

/** The least that an append can be: no order, no key, no search index, no notification. */
async function bareClient(url: string): Promise<Writer> {
  const pool = new pg.Pool({ connectionString: url })
  await pool.query('CREATE TABLE bare (session int, seq int, body text, PRIMARY KEY (session, seq))')
  const text = 'INSERT INTO bare (session, seq, body) VALUES ($1, $2, $3)'
  return {
    say: (session, i) => pool.query({ name: 'bare', text, values: [session, i, textOf(i)] }),
    close: () => pool.end(),
  }
}

function textOf(i: number): string {
  return `message ${i} ${'what was said, in some words. '.repeat(10)}`
}

function medianOf(rounds: readonly Round[], field: keyof Round): number {
  return median(rounds.map((round) => round[field]))
}

async function measured(open: OpenWriter): Promise<Round> {
  const url = await postgres.url()
  const { say, close } = await open(url)
  const sessions = Array.from({ length: SESSIONS }, (_, session) => session)
  for (const session of sessions) await say(session, -1)
  const [node, server, started] = [process.cpuUsage(), postgresMs(url), performance.now()]
  await Promise.all(
    sessions.map(async (session) => {
      for (let i = 0; i < APPENDS; i++) await say(session, i)
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  const used = process.cpuUsage(node)
  const servers = postgresMs(url) - server
  const alone: number[] = []
  for (let i = 0; i < 50; i++) {
    const before = performance.now()
    await say(0, APPENDS + i)
    alone.push(performance.now() - before)
  }
  await close()
  const appends = SESSIONS * APPENDS
  return {
    perSecond: appends / seconds,
    nodeMs: (used.user + used.system) / 1_000 / appends,
    postgresMs: servers / appends,
    aloneMs: median(alone),
  }
}
