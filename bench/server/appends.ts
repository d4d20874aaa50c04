import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cell, Table } from '../harness/bench.ts'
import { machineMs, postgresMs, processMs } from '../harness/postgres-cpu.ts'
import { median } from '../harness/timing.ts'
import { at, atHome, HUGE_WINDOW, newSessions, percentile, started, type World } from './load-world.ts'
import { PlainClient } from './plain-client.ts'

type Route = 'by session' | 'random'

/** Processes on one database, and the sessions that they serve. */
type Case = {
  readonly server: 'pith serve' | 'only the INSERT'
  readonly processes: number
  readonly route: Route
  readonly url: string
  readonly pids: readonly number[]
  /** Appends once to the session of a client, and returns the milliseconds until the answer. */
  readonly append: (client: number) => Promise<number>
  readonly close: () => void
}

/** Processor time of the servers, of PostgreSQL, of the clients, and of all programs on the machine. */
type Cost = Record<'node' | 'postgres' | 'clients' | 'machine', number>
type Round = Record<'perSecond' | 'p50' | 'p99', number> & { readonly count: number; readonly cost: Cost }

/** More than the other parts have, so that each of four processes has enough appends at a time to put several in one statement. */
const APPENDERS = 100
const TEXT = 'what was said, in some words. '.repeat(10)
const BODY = JSON.stringify({ messages: [{ message: { role: 'user', content: TEXT } }] })

/**
 * Appends by 1, 2 and 4 processes, and by 1 and 4 of a server that does nothing but the INSERT: what the machine allows. All
 * processes are there from the beginning and take turns, so that other programs disturb all cases alike.
 */
export async function appends(world: World): Promise<Table> {
  const { quick, postgres, model, progress } = world
  const settings = { models: [HUGE_WINDOW] }
  const of = async <T>(processes: number, work: (cases: Case[]) => Promise<T>): Promise<T> => {
    const url = await postgres.readyUrl()
    return atHome(
      url,
      model,
      async (home) => {
        const servers = await started(home, processes)
        const routes: Route[] = processes === 1 ? ['by session'] : ['by session', 'random']
        const cases = routes.map(async (route): Promise<Case> => {
          const ids = await newSessions(servers, APPENDERS)
          const clients = connections(servers, home.token, (client) => `/v1/sessions/${ids[client]}/messages`)
          return { server: 'pith serve', processes, route, url, pids: servers.map(({ pid }) => pid), ...clients(route) }
        })
        return work(await Promise.all(cases))
      },
      settings,
    )
  }
  const bareUrl = await postgres.url()
  const bare = await bareInsert(bareUrl, quick ? 500 : 5_000)
  return of(1, (one) =>
    of(2, (two) =>
      of(4, async (four) => {
        const inserts = [await insertServers(bareUrl, 1), await insertServers(bareUrl, 4)]
        const cases = [...one, ...two, ...four, ...inserts]
        try {
          const rounds = await measured(cases, quick, progress)
          return tableOf(cases, rounds, bare)
        } finally {
          for (const each of cases) each.close()
        }
      }),
    ),
  )
}

/** Code runs slowly at first, in each process, so each one gets this many requests before: after 20,000 they still get cheaper. */
const WARM = 40_000
/** Appends of each client in a round: some seconds, because the work that an append leaves for later begins after one. */
const EACH = 100
const ROUNDS = 4

async function measured(
  cases: readonly Case[],
  quick: boolean,
  progress: World['progress'],
): Promise<ReadonlyMap<Case, readonly Round[]>> {
  const [warm, times] = quick ? [200, 20] : [WARM, EACH]
  for (const each of cases) {
    progress(`appends, warming up ${each.processes} of ${each.server}`)
    const sharing = cases.filter(({ pids }) => pids[0] === each.pids[0]).length
    const requests = (warm * each.processes) / sharing
    await roundOf(each, Math.ceil(requests / APPENDERS))
    await indexed(each)
  }
  const rounds = new Map(cases.map((each) => [each, [] as Round[]]))
  for (let round = 1; round <= (quick ? 1 : ROUNDS); round++) {
    progress(`appends, round ${round}`)
    for (const each of cases) {
      rounds.get(each)?.push(await roundOf(each, times))
      await indexed(each)
    }
  }
  return rounds
}

const MOST_LOOKS = 300

/** Waits a minute at most until the index of words has what was appended, so that the next round does not pay for it. */
async function indexed({ server, url }: Case): Promise<void> {
  if (server !== 'pith serve') return
  const client = new pg.Client(url)
  await client.connect()
  const waiting = async () => (await client.query('SELECT FROM search_waiting LIMIT 1')).rows.length > 0
  for (let i = 0; i < MOST_LOOKS && (await waiting()); i++) await sleep(200)
  await client.end()
}

async function roundOf({ url, pids, append }: Case, each: number): Promise<Round> {
  const times: number[] = []
  const client = async (i: number) => {
    for (let n = 0; n < each; n++) times.push(await append(i))
  }
  const cost = (): Cost => {
    const { user, system } = process.cpuUsage()
    const clients = (user + system) / 1_000
    return { node: processMs(pids), postgres: postgresMs(url), clients, machine: machineMs() }
  }
  const [before, begun] = [cost(), performance.now()]
  await Promise.all(Array.from({ length: APPENDERS }, (_, i) => client(i)))
  const [ms, after] = [performance.now() - begun, cost()]
  const names = ['node', 'postgres', 'clients', 'machine'] as const
  return {
    count: times.length,
    perSecond: (times.length * 1_000) / ms,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cost: Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Cost,
  }
}

function tableOf(cases: readonly Case[], rounds: ReadonlyMap<Case, readonly Round[]>, bareMs: number): Table {
  const of = (each: Case, field: 'perSecond' | 'p50' | 'p99') =>
    median((rounds.get(each) ?? []).map((round) => round[field]))
  const sum = (each: Case, field: (round: Round) => number) =>
    (rounds.get(each) ?? []).reduce((total, round) => total + field(round), 0)
  const rows = cases.map((each): Cell[] => {
    const alone = cases.find(({ server, processes }) => server === each.server && processes === 1) ?? each
    const count = sum(each, (round) => round.count)
    const ms = (name: keyof Cost) => sum(each, ({ cost }) => cost[name])
    const own = ms('node') + ms('postgres') + ms('clients')
    return [
      each.server,
      each.processes,
      each.route,
      Math.round(of(each, 'perSecond')),
      (of(each, 'perSecond') / of(alone, 'perSecond')).toFixed(2),
      Math.round(of(each, 'p50')),
      Math.round(of(each, 'p99')),
      (ms('node') / count).toFixed(2),
      (ms('postgres') / count).toFixed(2),
      (ms('clients') / count).toFixed(2),
      ((ms('node') + ms('postgres')) / count / bareMs).toFixed(1),
      `${Math.round(Math.max(0, 1 - own / ms('machine')) * 100)} %`,
    ]
  })
  return {
    title: `Appends over HTTP, ${APPENDERS} clients that never pause. Milliseconds are processor time of one append (the database takes ${bareMs.toFixed(2)} ms for a prepared INSERT of the same text)`,
    columns: [
      'server',
      'processes',
      'requests go',
      'appends/s',
      'of one',
      'p50 ms',
      'p99 ms',
      'Node ms',
      'PostgreSQL ms',
      'clients ms',
      'Node and PostgreSQL, in INSERTs',
      'taken by other programs',
    ],
    rows,
  }
}

type Server = { readonly url: string }

/** A connection of each client to each server, as a client or a proxy keeps them open. */
function connections(servers: readonly Server[], token: string, pathOf: (client: number) => string) {
  const all = Array.from({ length: APPENDERS }, () => servers.map(({ url }) => new PlainClient(url)))
  return (route: Route): Pick<Case, 'append' | 'close'> => ({
    async append(client) {
      const begun = performance.now()
      const server = route === 'random' ? Math.floor(Math.random() * servers.length) : client
      const status = await at(at(all, client), server).post(pathOf(client), token, BODY)
      if (status !== 201) throw new Error(`an append was answered with ${status}`)
      return performance.now() - begun
    },
    close() {
      for (const one of all.flat()) one.close()
    },
  })
}

/** Processor time of the database for an INSERT by a client that does nothing else. */
async function bareInsert(url: string, count: number): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('CREATE TABLE bare (session text, seq bigint, body text, PRIMARY KEY (session, seq))')
  const insert = (i: number) =>
    client.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2, $3)', values: [`s${i % APPENDERS}`, i, BODY] })
  for (let i = 0; i < count / 10; i++) await insert(i)
  const before = postgresMs(url)
  for (let i = 0; i < count; i++) await insert(count + i)
  const ms = (postgresMs(url) - before) / count
  await client.end()
  return ms
}

async function insertServers(url: string, processes: number): Promise<Case> {
  const program = join(import.meta.dirname, 'insert-server.ts')
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const servers = await Promise.all(
    children.map(async ({ stdout }) => ({ url: String((await once(stdout, 'data'))[0]).trim() })),
  )
  const clients = connections(servers, 'none', (client) => `/s${client}`)('by session')
  return {
    server: 'only the INSERT',
    processes,
    route: 'by session',
    url,
    pids: children.map(({ pid }) => pid ?? 0),
    append: clients.append,
    close() {
      clients.close()
      for (const child of children) child.kill()
    },
  }
}
