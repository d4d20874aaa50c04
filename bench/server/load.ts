import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import { textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import { lostEntries, runLoad } from '../../test/server/support/load.ts'
import { type Home, type ServerProcess, serverHome } from '../../test/server/support/processes.ts'
import { type ModelServer, startModelServer } from '../../test/support/model-server/index.ts'
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts'
import type { Bench, BenchContext, Cell, Table } from '../harness/bench.ts'
import { postgresMs, postgresPids } from '../harness/postgres-cpu.ts'
import { median } from '../harness/timing.ts'

const PROGRAM = resolve(import.meta.dirname, '../../src/cli/main.ts')
const MEGABYTE = 1_048_576
const CLIENTS = 50
const LISTENERS = 500
const CONVERSATIONS = 50

type World = Pick<BenchContext, 'quick' | 'progress'> & { readonly postgres: TestPostgres; readonly model: ModelServer }

/** `pith serve` on PostgreSQL under everything that a team does to it. */
export const serverLoad: Bench = {
  name: 'server/load',
  what: 'Several processes of `pith serve` on one PostgreSQL: appends with 1, 2 and 4 of them, kills, a stopped database, 500 listeners that do not read, 50 gateway conversations over two processes.',
  async run(context) {
    const model = await startModelServer({ brain: () => ({ text: 'A short summary.' }), window: 20_000 })
    const postgres = await startPostgres()
    try {
      const world = { quick: context.quick, progress: context.progress, postgres, model }
      const tables: Table[] = []
      for (const part of [appends, failures, deafListeners, conversations]) tables.push(await part(world))
      return {
        tables,
        notes: [
          'The clients, the model, the database and all processes share the cores of the machine; a process of `pith serve` more than there are cores cannot make it faster.',
          'Processor time says more than the clock when other programs run on the machine.',
        ],
      }
    } finally {
      await model.close()
      await postgres.stop()
    }
  },
}

type Route = 'by session' | 'random'
type Round = Record<'perSecond' | 'p50' | 'p99' | 'nodeMs' | 'postgresMs', number>

const CASES: readonly { readonly processes: number; readonly route: Route }[] = [
  { processes: 1, route: 'by session' },
  { processes: 2, route: 'by session' },
  { processes: 2, route: 'random' },
  { processes: 4, route: 'by session' },
  { processes: 4, route: 'random' },
]

async function appends(world: World): Promise<Table> {
  const rounds = CASES.map(() => [] as Round[])
  for (let round = 0; round < (world.quick ? 1 : 2); round++)
    for (const [i, each] of CASES.entries()) {
      world.progress(`appends, ${each.processes} processes, ${each.route}`)
      rounds[i]?.push(await appendRound(world, each.processes, each.route))
    }
  const of = (i: number, field: keyof Round) => median((rounds[i] ?? []).map((round) => round[field]))
  const one = of(0, 'perSecond')
  const bare = await bareInsert(await world.postgres.url(), world.quick ? 500 : 5_000)
  return {
    title: `Appends over HTTP, ${CLIENTS} clients that never pause (a bare prepared INSERT by one client: ${bare.ms.toFixed(2)} ms, ${bare.postgresMs.toFixed(2)} ms of PostgreSQL)`,
    columns: [
      'processes',
      'requests go',
      'appends/s',
      'of one',
      'p50 ms',
      'p99 ms',
      'Node ms/append',
      'PostgreSQL ms/append',
    ],
    rows: CASES.map(({ processes, route }, i): Cell[] => [
      processes,
      route,
      Math.round(of(i, 'perSecond')),
      (of(i, 'perSecond') / one).toFixed(2),
      Math.round(of(i, 'p50')),
      Math.round(of(i, 'p99')),
      of(i, 'nodeMs').toFixed(2),
      of(i, 'postgresMs').toFixed(2),
    ]),
  }
}

async function appendRound({ quick, postgres, model }: World, processes: number, route: Route): Promise<Round> {
  const url = await postgres.readyUrl()
  return atHome(url, model, async (home) => {
    const servers = await started(home, processes)
    const ids = await newSessions(servers, CLIENTS)
    const serverOf = (i: number) => at(servers, route === 'random' ? Math.floor(Math.random() * processes) : i)
    const times: number[] = []
    const repeatedly = (count: number) =>
      Promise.all(
        ids.map(async (id, i) => {
          for (let n = 0; n < count; n++) times.push(await say(serverOf(i), id, TEXT))
        }),
      )
    // Code runs slowly at first, in each process.
    await repeatedly((quick ? 3 : 20) * processes)
    times.length = 0
    const [node, database, begun] = [await nodeMs(servers), postgresMs(url), performance.now()]
    await repeatedly(quick ? 10 : 30)
    const count = times.length
    return {
      perSecond: (count * 1_000) / (performance.now() - begun),
      p50: percentile(times, 50),
      p99: percentile(times, 99),
      nodeMs: ((await nodeMs(servers)) - node) / count,
      postgresMs: (postgresMs(url) - database) / count,
    }
  })
}

const TEXT = 'what was said, in some words. '.repeat(10)

/** The least that a database can do for an append, by a client that does nothing else. */
async function bareInsert(url: string, count: number): Promise<{ ms: number; postgresMs: number }> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('CREATE TABLE bare (session text, seq bigint, body text, PRIMARY KEY (session, seq))')
  const insert = (i: number) =>
    client.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2, $3)', values: [`s${i % CLIENTS}`, i, TEXT] })
  for (let i = 0; i < count / 10; i++) await insert(i)
  const [database, begun] = [postgresMs(url), performance.now()]
  for (let i = 0; i < count; i++) await insert(count + i)
  const result = { ms: (performance.now() - begun) / count, postgresMs: (postgresMs(url) - database) / count }
  await client.end()
  return result
}

/** A load of appends, reads and compactions while processes are killed, and while the database is stopped. */
async function failures(world: World): Promise<Table> {
  const rows: Cell[][] = []
  rows.push(['a process is killed again and again', ...(await underLoad(world, killing))])
  rows.push(['the database is stopped for three seconds', ...(await underLoad(world, stopping))])
  return {
    title: 'Failures under load: two processes',
    columns: ['failure', 'times', 'acknowledged', 'sent again', 'unexpected answers', 'lost or twice'],
    rows,
  }
}

type Trouble = (servers: ServerProcess[], home: Home, url: string) => Promise<void>

async function underLoad({ quick, postgres, model, progress }: World, trouble: Trouble): Promise<Cell[]> {
  progress(trouble.name)
  const url = await postgres.readyUrl()
  return atHome(url, model, async (home) => {
    const servers = await started(home, 2)
    const every = quick ? 100 : 1_000
    let times = 0
    let last: Promise<void> = Promise.resolve()
    const result = await runLoad({
      urls: () => servers.map((server) => server.url),
      token: home.token,
      sessions: CLIENTS,
      requests: quick ? 10 : 60,
      onAcknowledged: (count) => {
        if (count % every !== 0) return
        times++
        last = last.then(() => trouble(servers, home, url))
      },
    })
    await last
    const store = await openStore(url)
    const lost = await lostEntries(result, async (session) => {
      const { entries } = await store.entries(session, { only: 'messages' })
      return entries.flatMap((entry) =>
        entry.type === 'message' ? [{ seq: entry.seq, text: String(entry.message.content) }] : [],
      )
    })
    await store.close()
    for (const error of result.errors.slice(0, 3)) console.error(error)
    return [times, result.acknowledged.length, result.retries, result.errors.length, lost.length]
  })
}

const killing: Trouble = async (servers, home) => {
  const [killed] = servers
  killed?.signal('SIGKILL')
  await killed?.ended
  servers.shift()
  servers.push(await home.start(['--quiet']))
}

const stopping: Trouble = async (_, __, url) => {
  const pids = postgresPids(url).map(Number)
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(3_000)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

async function deafListeners({ quick, postgres, model, progress }: World): Promise<Table> {
  progress('listeners that do not read')
  const measured = async (home: Home): Promise<Table> => {
    const [server] = await started(home, 1)
    if (server === undefined) throw new Error('unreachable: one was started')
    const ids = await newSessions([server], CLIENTS)
    const talk = async () => {
      const times: number[] = []
      const text = 'What a tool printed. '.repeat(1_500)
      const round = async (id: string) => {
        for (let n = 0; n < (quick ? 4 : 40); n++) times.push(await say(server, id, text))
      }
      await Promise.all(ids.map(round))
      return [percentile(times, 50), percentile(times, 99)].map(Math.round)
    }
    const memory = async () => Math.round(Number((await metric(server, 'pith_memory_bytes')) / MEGABYTE))
    await talk()
    const rows: Cell[][] = [['no listener', ...(await talk()), await memory(), 0]]
    const sockets = await Promise.all(Array.from({ length: LISTENERS }, (_, i) => listener(server, at(ids, i))))
    rows.push([
      `${LISTENERS} that do not read`,
      ...(await talk()),
      await memory(),
      await metric(server, 'pith_streams'),
    ])
    for (const socket of sockets) socket.destroy()
    rows.push(['after they have gone', ...(await talk()), await memory(), await metric(server, 'pith_streams')])
    return {
      title: `${LISTENERS} event streams that nobody reads, of ${CLIENTS} sessions, beside appends of 30 kB`,
      columns: ['listeners', 'append p50 ms', 'p99 ms', 'memory of the server, MB', 'streams open at the end'],
      rows,
    }
  }
  return atHome(await postgres.readyUrl(), model, measured, { models: [HUGE_WINDOW] })
}

/** No session is full: a full one is read at each append, to see whether a compaction is due. */
const HUGE_WINDOW = { provider: 'local', model: 'pith-test', context_window: 10_000_000, max_output: 2_000 }

async function listener(server: ServerProcess, id: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `GET /v1/sessions/${id}/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.token}\r\n\r\n`,
  )
  await once(socket, 'readable')
  return socket
}

async function conversations({ quick, postgres, model, progress }: World): Promise<Table> {
  progress('gateway conversations')
  const url = await postgres.readyUrl()
  const settings = { gateway: { mode: 'answer' } }
  return atHome(
    url,
    model,
    async (home) => {
      const servers = await started(home, 2)
      const turns = quick ? 3 : 8
      const times: number[] = []
      let failed = 0
      const talk = async (name: string) => {
        const texts: string[] = []
        for (let turn = 0; turn < turns; turn++) {
          texts.push(`Step ${turn} of ${name}.\n${'A long line of the work. '.repeat(80)}`)
          const begun = performance.now()
          const answer = await gatewayAnswer(at(servers, turn), texts)
          times.push(performance.now() - begun)
          if (answer === undefined) failed++
          texts.push(answer ?? 'none')
        }
      }
      const begun = performance.now()
      await Promise.all(Array.from({ length: CONVERSATIONS }, (_, i) => talk(`conversation ${i}`)))
      const seconds = (performance.now() - begun) / 1_000
      const expected = CONVERSATIONS * turns * 2
      const { sessions, messages } = await recorded(url, expected)
      return {
        title: `${CONVERSATIONS} gateway conversations of ${turns} requests, each request to the other of two processes`,
        columns: ['requests/s', 'p50 ms', 'p99 ms', 'failed', 'sessions', 'messages in all', 'expected'],
        rows: [
          [
            Math.round(times.length / seconds),
            Math.round(percentile(times, 50)),
            Math.round(percentile(times, 99)),
            failed,
            sessions,
            messages,
            expected,
          ],
        ],
      }
    },
    settings,
  )
}

/** The sessions and messages in a store. A gateway records an exchange after it has answered, so this waits for them for a minute. */
async function recorded(url: string, expected: number): Promise<{ sessions: number; messages: number }> {
  const store = await openStore(url)
  const until = performance.now() + 60_000
  for (;;) {
    const { sessions } = await store.sessions({ limit: 1_000 })
    const pages = await Promise.all(sessions.map(({ id }) => store.entries(id, { only: 'messages' })))
    const messages = pages.reduce((sum, { entries }) => sum + entries.length, 0)
    if (messages >= expected || performance.now() > until) {
      await store.close()
      return { sessions: sessions.length, messages }
    }
    await sleep(500)
  }
}

/** A request without tools would be one for a summary. */
const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }]

async function gatewayAnswer({ url, token }: ServerProcess, texts: readonly string[]): Promise<string | undefined> {
  const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const response = await fetch(`${url}/gateway/local/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'pith-test', max_tokens: 100, stream: true, tools: TOOLS, messages }),
    headers: { 'content-type': 'application/json', 'x-api-key': 'test-key', 'x-pith-gateway': token },
  })
  const answer = faceNamed('anthropic').answerOf(await response.text(), messages.length)
  return response.ok && answer?.message !== undefined ? textOf(answer.message) : undefined
}

async function atHome<T>(
  url: string,
  model: ModelServer,
  work: (home: Home) => Promise<T>,
  settings: Record<string, unknown> = {},
): Promise<T> {
  const home = serverHome(url, model, { most_requests: 1_000, most_streams: 1_000 }, PROGRAM, settings)
  try {
    return await work(home)
  } finally {
    await home.stop()
  }
}

function started(home: Home, count: number): Promise<ServerProcess[]> {
  return Promise.all(Array.from({ length: count }, () => home.start(['--quiet'])))
}

function newSessions(servers: readonly ServerProcess[], count: number): Promise<string[]> {
  const create = async (i: number) => String((await at(servers, i).ask('POST', '/v1/sessions', {})).body.id)
  return Promise.all(Array.from({ length: count }, (_, i) => create(i)))
}

/** Appends a message of the user, and returns the milliseconds until the answer. */
async function say(server: ServerProcess, id: string, content: string): Promise<number> {
  const begun = performance.now()
  const body = { messages: [{ message: { role: 'user', content } }] }
  const { status } = await server.ask('POST', `/v1/sessions/${id}/messages`, body)
  if (status !== 201) throw new Error(`an append was answered with ${status}`)
  return performance.now() - begun
}

async function metric(server: ServerProcess, name: string): Promise<number> {
  const text = String((await server.ask('GET', '/metrics')).body)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

async function nodeMs(servers: readonly ServerProcess[]): Promise<number> {
  const seconds = await Promise.all(servers.map((server) => metric(server, 'pith_cpu_seconds')))
  return seconds.reduce((sum, each) => sum + each * 1_000, 0)
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

function at<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T
}
