import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { messagesOf, textOf as messageText } from '../../../src/model/types.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { EntryPage, Store } from '../../../src/store/store.ts'
import { eventsOf, eventsUntil, type StreamEvent } from '../../server/support/events.ts'
import { lostEntries, runLoad } from '../../server/support/load.ts'
import { type Home, type ServerProcess, serverHome } from '../../server/support/processes.ts'
import { teamConversation } from '../../server/support/team-conversation.ts'
import { Trio } from '../../server/support/trio.ts'
import type { JsonAnswer } from '../../server/support/world.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'
import { turns } from '../../support/messages.ts'
import {
  type Brain,
  isSummarising,
  type ModelServer,
  startModelServer,
  textOf,
} from '../../support/model-server/index.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

const SESSIONS = full ? 200 : 4
const REQUESTS = full ? 100 : 12
/** One of the three is killed whenever this many entries more were acknowledged. */
const KILL_EVERY = full ? 1_000 : 15

const CONVERSATIONS = full ? 50 : 4
const TURNS = full ? 12 : 4
const GATEWAY_MODES = full ? ['observe', 'answer', 'rewrite'] : ['answer']

const SUMMARY = 'They talked about questions and answers, at length.'

/** The model: its next summary waits until it is let go. */
let gate = Promise.withResolvers<void>()
let asked = 0
const brain: Brain = async (request) => {
  const last = request.messages.at(-1)
  if (last !== undefined && textOf(last) === 'Write it')
    return { calls: [{ name: 'write', input: { path: 'a.txt', content: 'hello' } }] }
  if (!isSummarising(request)) return { text: `re: ${last === undefined ? '' : textOf(last)}` }
  asked++
  await gate.promise
  return { text: SUMMARY }
}

let postgres: TestPostgres
let model: ModelServer
let home: Home
let where: string
let trio: Trio
let workspace: string

beforeAll(async () => {
  postgres = await startPostgres()
  model = await startModelServer({ brain, window: 20_000 })
  workspace = mkdtempSync(join(tmpdir(), 'pith-workspace-'))
  where = await postgres.url()
  home = serverHome(where, model, { workspaces: workspaces() })
  trio = await Trio.start(home)
}, 120_000)

afterAll(async () => {
  await home?.stop()
  await model?.close()
  await postgres?.stop()
  if (workspace !== undefined) rmSync(workspace, { recursive: true, force: true })
})

beforeEach(() => {
  asked = 0
  gate = Promise.withResolvers<void>()
})

const workspaces = () => ({ code: { path: workspace, permissions: 'ask' } })

async function newSession(server: ServerProcess): Promise<string> {
  return (await server.ask('POST', '/v1/sessions', { messages: turns(10, 400) })).body.id
}

/** Starts a compaction whose model does not answer yet. */
async function heldCompaction(server: ServerProcess, id: string): Promise<{ running: Promise<JsonAnswer> }> {
  const running = server.ask('POST', `/v1/sessions/${id}/compact`)
  // Some tests kill the server: then the answer is not awaited.
  running.catch(() => undefined)
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(1)
  return { running }
}

/** Two processes on one database of each kind. */
const databases = [
  ['PostgreSQL', async () => trio.all],
  [
    'SQLite',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pith-store-'))
      const place = serverHome(join(folder, 'pith.db'), model, { workspaces: workspaces() })
      onTestFinished(async () => {
        await place.stop()
        rmSync(folder, { recursive: true, force: true })
      })
      return [await place.start(), await place.start()] as const
    },
  ],
] as const

describe.each(databases)('two processes on one %s', (_, start) => {
  it('a compaction and a question are ended at either, and the log does not show how', async () => {
    const [one, two] = await start()
    const id = await newSession(one)
    const { running } = await heldCompaction(one, id)
    const cancelled = await two.ask('DELETE', `/v1/sessions/${id}/compact`)
    expect(cancelled.body).toMatchObject({ cancelled: true, id: expect.any(String) })
    expect((await running).body).toMatchObject({ outcome: 'cancelled', id: cancelled.body.id })
    expect(await changesOf(two, id)).toEqual(['attempt'])

    const { id: coding } = (await one.ask('POST', '/v1/sessions', { workspace: 'code' })).body
    const turn = eventsOf(await one.stream('POST', `/v1/sessions/${coding}/turn`, { text: 'Write it', asks: true }))
    const asked = await next(turn, 'question')
    const answer = { question: asked.data.id, allow: true }
    expect((await two.ask('POST', `/v1/sessions/${coding}/turn/answer`, answer)).body).toEqual({ answered: true })
    expect((await next(turn, 'turn.ended')).data.end.reason).toBe('done')
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('hello')
    rmSync(join(workspace, 'a.txt'))
    // Only that the file was kept before it was written.
    expect(await changesOf(two, coding)).toEqual(['checkpoint'])
  })
})

/** The types of the entries that are not messages. */
async function changesOf(server: ServerProcess, id: string): Promise<string[]> {
  const { entries } = (await server.ask('GET', `/v1/sessions/${id}/messages?only=changes`)).body
  return entries.map(({ type }: { type: string }) => type)
}

/** Reads on to the next event of a name. */
async function next(events: AsyncGenerator<StreamEvent, void>, name: string): Promise<StreamEvent> {
  for (;;) {
    const { value } = await events.next()
    if (value === undefined) throw new Error(`there was no ${name}`)
    if (value.event === name) return value
  }
}

describe('many processes on one PostgreSQL', () => {
  it('what one does reaches the listeners of all; a session is worked on by one at a time', async () => {
    const [one, two, other] = trio.all
    expect([two.token, other.token]).toEqual([one.token, one.token])
    const id = await newSession(one)
    const streams = await Promise.all(
      [two, other].map((each) => each.stream('GET', `/v1/sessions/${id}/events?after=now`)),
    )
    const heard = streams.map((stream) => eventsUntil(stream, ({ event }) => event === 'session.compacted'))

    const { running } = await heldCompaction(one, id)
    const second = await two.ask('POST', `/v1/sessions/${id}/compact`)
    expect(second).toMatchObject({ status: 409, body: { error: { running: { kind: 'compaction' } } } })

    // A message on another process is stored at once, and answered when the compaction is over.
    const replies = eventsOf(await other.stream('POST', `/v1/sessions/${id}/turn`, { text: 'meanwhile' }))
    expect((await replies.next()).value).toMatchObject({ event: 'turn.stored', data: { seq: 21 } })
    gate.resolve()
    expect((await running).body).toMatchObject({ compacted: true, id: second.body.error.running.id })
    const rest: StreamEvent[] = []
    for await (const event of replies) rest.push(event)
    expect(rest.at(-1)).toMatchObject({ event: 'turn.ended', data: { end: { answer: 're: meanwhile' } } })
    for (const events of await Promise.all(heard)) {
      expect(events.some(({ event, data }) => event === 'entry' && data.entry.message?.content === 'meanwhile')).toBe(
        true,
      )
      expect(events.at(-1)).toMatchObject({ data: { session_id: id, tokens_saved: expect.any(Number) } })
    }
  })

  it('a key that is sent again to another process gives the first answer', async () => {
    const [one, two] = trio.all
    const id = await newSession(one)
    const key = { 'idempotency-key': 'over-processes' }
    gate.resolve()
    for (const path of ['compact', 'undo', 'redo']) {
      const first = await one.ask('POST', `/v1/sessions/${id}/${path}`, {}, key)
      expect(first.status, path).toBe(200)
      expect((await two.ask('POST', `/v1/sessions/${id}/${path}`, {}, key)).body, path).toEqual(first.body)
    }
    expect(asked).toBe(1)
  })

  it('killed one after the other under load lose and double nothing that was acknowledged, and no session stays locked', async () => {
    gate.resolve()
    const result = await runLoad({
      urls: () => trio.urls,
      token: home.token,
      sessions: SESSIONS,
      requests: REQUESTS,
      onAcknowledged: (count) => {
        if (count % KILL_EVERY === 0) trio.killOne()
      },
    })
    await trio.settled
    expect(trio.kills).toBeGreaterThanOrEqual(2)
    expect(result.errors).toEqual([])
    const store = await openStore(where)
    onTestFinished(() => store.close())
    expect(await lostEntries(result, (session) => textsOf(store, session))).toEqual([])
    const [one] = trio.all
    for (const session of result.sessions) {
      const compact = async () => (await one.ask('POST', `/v1/sessions/${session}/compact`)).status
      await expect.poll(compact, { timeout: 20_000, interval: 100 }).toBe(200)
    }
    console.info(
      `${trio.kills} of 3 processes killed: ${result.acknowledged.length} entries acknowledged, ${result.retries} requests sent again, none lost`,
    )
    // A deadline against hanging: processes start slowly on a busy machine.
  }, 3_600_000)

  it('a process that dies while it compacts frees the session within seconds', async () => {
    const [dying, living] = trio.all
    const id = await newSession(dying)
    await heldCompaction(dying, id)
    dying.signal('SIGKILL')
    await dying.ended
    gate.resolve()
    // The lease of the dead lasts two seconds here.
    const compact = async () => (await living.ask('POST', `/v1/sessions/${id}/compact`)).status
    await expect.poll(compact, { timeout: 20_000, interval: 200 }).toBe(200)
  })
})

describe.each(GATEWAY_MODES)('the gateways of many processes, in mode %s', (mode) => {
  it('record each conversation once, whichever process its requests go to, and two at once', async () => {
    gate.resolve()
    const database = await postgres.readyUrl()
    const place = serverHome(database, model, {}, undefined, { gateway: { mode }, policy: { token_limit: 4_000 } })
    onTestFinished(() => place.stop())
    const servers = await Promise.all([place.start(), place.start()])
    const names = Array.from({ length: CONVERSATIONS }, (_, i) => `conversation ${100 + i}`)
    const said = await Promise.all(names.map((name) => teamConversation({ servers, name, turns: TURNS })))
    const store = await openStore(database)
    onTestFinished(() => store.close())
    const stored = async () => {
      const { sessions } = await store.sessions({ limit: 1_000 })
      const texts = await Promise.all(sessions.map(async ({ id }) => firstLines(await store.entries(id))))
      return texts.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
    }
    // The last answers are recorded after the clients have them.
    await expect.poll(stored, { timeout: 300_000 }).toEqual(said)
    const { sessions } = await store.sessions({ limit: 1_000 })
    // The server's own folder is not that of its agents.
    expect(new Set(sessions.map(({ workspace }) => workspace))).toEqual(new Set(['']))
    const entries = await Promise.all(sessions.map(async ({ id }) => (await store.entries(id)).entries))
    const isCompacted = entries.some((log) => log.some(({ type }) => type === 'compaction' || type === 'mask'))
    expect(isCompacted).toBe(mode === 'rewrite' && full)
    let requests = 0
    for (const { url } of servers) {
      const { stdout } = await pith(configFolders(), ['gateway', 'status', '--server', url, '--token', place.token])
      requests += Number(/mode \w+, (\d+) requests?\n/.exec(stdout)?.[1])
    }
    expect(requests).toBeGreaterThanOrEqual(CONVERSATIONS * TURNS)
    // A deadline against hanging: in the long form many conversations run at once.
  }, 600_000)
})

describe('a server that is asked to stop', () => {
  it('finishes what runs, refuses what is new, loses nothing and ends in peace', async () => {
    const [, stopping, staying] = trio.all
    const id = await newSession(stopping)
    const listener = eventsUntil(await stopping.stream('GET', `/v1/sessions/${id}/events?after=now`))
    const { running } = await heldCompaction(stopping, id)
    stopping.signal('SIGTERM')
    // The stream ends, so that its client goes elsewhere.
    await listener
    gate.resolve()
    expect((await running).body).toMatchObject({ compacted: true })
    expect(await stopping.ended).toMatchObject({ code: 0, errors: expect.not.stringMatching(/"error"|unexpected/) })
    expect((await staying.ask('GET', `/v1/sessions/${id}/compactions`)).body.compactions).toHaveLength(1)
  })

  it('cancels what does not end in time, and the session is as it was', async () => {
    const [, , stopping] = trio.all
    const id = await newSession(stopping)
    const { running } = await heldCompaction(stopping, id)
    stopping.signal('SIGTERM')
    expect((await running).body).toMatchObject({ outcome: 'cancelled' })
    expect(await stopping.ended).toMatchObject({ code: 0, errors: expect.not.stringMatching(/"error"|unexpected/) })
    const store = await openStore(where)
    onTestFinished(() => store.close())
    expect(messagesOf((await openSession(store, id)).view)).toEqual(turns(10, 400))
  })
})

/** The first lines of all messages. */
function firstLines({ entries }: EntryPage): string[] {
  return entries.flatMap((entry) =>
    entry.type === 'message' ? [messageText(entry.message).replace(/\n[\s\S]*/, '')] : [],
  )
}

async function textsOf(store: Store, session: string): Promise<{ seq: number; text: string }[]> {
  const { entries } = await store.entries(session, { only: 'messages' })
  return entries.flatMap((entry) =>
    entry.type === 'message' ? [{ seq: entry.seq, text: String(entry.message.content) }] : [],
  )
}
