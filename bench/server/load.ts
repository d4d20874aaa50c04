import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import { textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import { lostEntries, runLoad } from '../../test/server/support/load.ts'
import type { Home, ServerProcess } from '../../test/server/support/processes.ts'
import { startModelServer } from '../../test/support/model-server/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import type { Bench, Cell, Table } from '../harness/bench.ts'
import { postgresPids } from '../harness/postgres-cpu.ts'
import { appends } from './appends.ts'
import {
  at,
  atHome,
  CLIENTS,
  HUGE_WINDOW,
  metric,
  newSessions,
  percentile,
  say,
  started,
  type World,
} from './load-world.ts'

const MEGABYTE = 1_048_576
const LISTENERS = 500
/** The sessions that they listen to. */
const LISTENED = 10
const CONVERSATIONS = 50

/** `pith serve` on PostgreSQL under everything that a team does to it. */
export const serverLoad: Bench = {
  name: 'server/load',
  what: 'Several processes of `pith serve` on one PostgreSQL: appends with 1, 2 and 4 of them, kills, a stopped database, 500 listeners that do not read, 50 gateway conversations over two processes.',
  async run(context) {
    const model = await startModelServer({ brain: () => ({ text: 'A short summary.' }), window: 20_000 })
    // As in production: an append is acknowledged when it is on the disk.
    const postgres = await startPostgres({ fsync: true })
    try {
      const world = { quick: context.quick, progress: context.progress, postgres, model }
      const tables: Table[] = []
      for (const part of [appends, failures, deafListeners, conversations]) tables.push(await part(world))
      return {
        tables,
        notes: [
          'The clients, the model, the database and all processes share the cores of the machine. The rows "only the INSERT" show what it allows: a process there does nothing but one prepared INSERT for each request.',
          'Processor time says more than the clock when other programs run on the machine; the last column of the first table is their share of the busy time.',
        ],
      }
    } finally {
      await model.close()
      await postgres.stop()
    }
  },
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
    const ids = await newSessions([server], LISTENED)
    // The kernel holds about 3 MB for each listener before anything waits in the server, so each session gets 4.5 MB.
    const talk = async () => {
      const times: number[] = []
      const text = 'What a tool printed. '.repeat(5_000)
      const round = async (id: string) => {
        for (let n = 0; n < (quick ? 4 : 45); n++) times.push(await say(server, id, text))
      }
      await Promise.all(ids.map(round))
      return [percentile(times, 50), percentile(times, 99)].map(Math.round)
    }
    const memory = async () => Math.round(Number((await metric(server, 'pith_memory_bytes')) / MEGABYTE))
    await talk()
    const rows: Cell[][] = [['no listener', ...(await talk()), await memory(), 0]]
    for (const name of [`${LISTENERS} that do not read`, `${LISTENERS} others that do not read`]) {
      const sockets = await Promise.all(Array.from({ length: LISTENERS }, (_, i) => listener(server, at(ids, i))))
      rows.push([name, ...(await talk()), await memory(), await metric(server, 'pith_streams')])
      for (const socket of sockets) socket.destroy()
    }
    rows.push(['after they have gone', ...(await talk()), await memory(), await metric(server, 'pith_streams')])
    return {
      title: `${LISTENERS} event streams that nobody reads, of ${LISTENED} sessions, beside appends of 100 kB`,
      columns: ['listeners', 'append p50 ms', 'p99 ms', 'memory of the server, MB', 'streams open at the end'],
      rows,
    }
  }
  return atHome(await postgres.readyUrl(), model, measured, { models: [HUGE_WINDOW] })
}

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

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
