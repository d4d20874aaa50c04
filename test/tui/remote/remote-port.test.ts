import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { textOf as messageText } from '../../../src/model/types.ts'
import type { PortEvent } from '../../../src/tui/port/port.ts'
import { openRemotePort, type RemoteOptions, serverOf } from '../../../src/tui/remote/remote-port.ts'
import { listening } from '../../server/support/listening.ts'
import { type ServerWorld, TOKENS, type WorldOptions } from '../../server/support/world.ts'
import { assistant, turns } from '../../support/messages.ts'
import { type Brain, isSummarising, textOf } from '../../support/model-server/index.ts'

const SUMMARY = 'They talked about questions and answers, at length.'
const answers: Brain = (request) => {
  const last = request.messages.at(-1)
  return { text: isSummarising(request) ? SUMMARY : `re: ${last === undefined ? '' : textOf(last)}` }
}

async function remote(options: WorldOptions & { open?: (world: ServerWorld) => Promise<RemoteOptions['open']> } = {}) {
  const world = await listening({ brain: answers, settings: { policy: { preset: 'agent' } }, ...options })
  const open = (await options.open?.(world)) ?? { kind: 'new' as const }
  const port = await openRemotePort({
    url: world.url,
    token: TOKENS[0].token,
    open,
  })
  onTestFinished(() => port.close())
  const events: PortEvent[] = []
  port.subscribe((event) => events.push(event))
  return { world, port, events }
}

const long = async ({ session }: ServerWorld) => ({
  kind: 'id' as const,
  id: await session({ messages: turns(12, 400) }),
})

/** The same server with pins that are called something that we do not know. */
const newerServer = (world: ServerWorld) =>
  otherServer(world, (text) => text.replaceAll('"type":"pin"', '"type":"of-tomorrow"'))

/** The same server as it was before a record said how many messages of the log it replaces. */
const olderServer = (world: ServerWorld) => otherServer(world, (text) => text.replace(/"stands_for":\d+,/, ''))

/** The same server with its answers changed. */
async function otherServer(
  { app }: ServerWorld,
  changed: (text: string) => string,
): Promise<{ url: string; streams: () => number }> {
  let streams = 0
  const listener = getRequestListener(
    async (request) => {
      const { body, status, headers } = await app.fetch(request)
      if (headers.get('content-type')?.includes('event-stream')) streams++
      const renamed = new TransformStream<string, string>({
        transform: (text, out) => out.enqueue(changed(text)),
      })
      const text = body?.pipeThrough(new TextDecoderStream()).pipeThrough(renamed).pipeThrough(new TextEncoderStream())
      return new Response(text ?? null, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
    },
    { overrideGlobalObjects: false },
  )
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, streams: () => streams }
}

describe('the terminal’s port to a server', () => {
  it('a turn has the same events as on this machine: started, text, entries in order, status, ended', async () => {
    const { port, events } = await remote()
    expect(await port.opened()).toMatchObject({ model: 'local/pith-test', entries: [], firstRun: false })
    await port.say('Mend the parser')
    const types = events.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['title', 'turn-started', 'text', 'entry', 'status']))
    expect(events.at(-1)).toEqual({ type: 'turn-ended', reason: 'done', text: '' })
    const entries = events.flatMap((event) => (event.type === 'entry' ? [event.entry] : []))
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.role] : []))).toEqual([
      'user',
      'assistant',
    ])
  })

  it('the entries of others are sent once, with the status after them', async () => {
    const { world, port, events } = await remote()
    const { session } = await port.opened()
    const messages = [{ message: { role: 'user', content: 'from elsewhere' } }]
    await world.ask('POST', `/v1/sessions/${session.id}/messages`, { messages })
    await expect.poll(() => events.map(({ type }) => type), { timeout: 20_000 }).toEqual(['entry', 'status'])
    await port.say('and from here')
    const seqs = events.flatMap((event) => (event.type === 'entry' ? [event.entry.seq] : []))
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(new Set(seqs).size).toBe(seqs.length)
  })

  it('entries of others during our own turn come in the order of the log, and nothing is left out', async () => {
    const asked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const { world, port, events } = await remote({
      brain: async () => {
        asked.resolve()
        await gate.promise
        return { text: 'The answer.' }
      },
    })
    const { session } = await port.opened()
    const saying = port.say('ours')
    await asked.promise
    const messages = [{ message: { role: 'user', content: 'theirs' } }]
    await world.ask('POST', `/v1/sessions/${session.id}/messages`, { messages })
    gate.resolve()
    await saying
    const entries = events.flatMap((event) => (event.type === 'entry' ? [event.entry] : []))
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(entries.flatMap((entry) => (entry.type === 'message' ? [messageText(entry.message)] : []))).toEqual([
      'ours',
      'theirs',
      'The answer.',
    ])
  })

  it('a message for the running turn is not taken if none runs', async () => {
    const { port } = await remote()
    expect(await port.steer('also this')).toEqual({ ok: false, text: '' })
  })

  it('an entry of a type that only a newer server knows is passed over, and the stream continues', async () => {
    const world = await listening({ brain: answers })
    const id = await world.session({ messages: turns(2) })
    const newer = await newerServer(world)
    const port = await openRemotePort({
      url: newer.url,
      token: TOKENS[0].token,
      open: { kind: 'id', id },
    })
    onTestFinished(() => port.close())
    const events: PortEvent[] = []
    port.subscribe((event) => events.push(event))
    const seqs = () => events.flatMap((event) => (event.type === 'entry' ? [event.entry.seq] : []))
    const say = (content: string) =>
      world.ask('POST', `/v1/sessions/${id}/messages`, { messages: [{ message: { role: 'user', content } }] })
    await say('before')
    await expect.poll(seqs, { timeout: 20_000 }).toEqual([5])
    await world.ask('PUT', `/v1/sessions/${id}/pins/1`)
    await say('after')
    await expect.poll(seqs, { timeout: 20_000 }).toEqual([5, 7])
    expect(newer.streams()).toBe(1)
  })

  it('a compaction has its progress, its entry and its end; undo and redo take it back and forth', async () => {
    const { port, events } = await remote({ open: long })
    expect(await port.preview()).toMatchObject({ kind: 'compact', messages: 19, keptMessages: 5 })
    await port.compact('the login')
    const types = events.map(({ type }) => type)
    expect(types.indexOf('compaction')).toBeLessThan(types.indexOf('entry'))
    expect(types.indexOf('entry')).toBeLessThan(types.indexOf('compaction-ended'))
    expect(events.find(({ type }) => type === 'compaction-ended')).toMatchObject({ result: { outcome: 'compacted' } })
    expect(await port.summary()).toMatchObject({ text: SUMMARY, standsFor: 19 })
    expect(await port.undo()).toEqual({ ok: true, text: '' })
    expect(await port.summary()).toBeUndefined()
    expect(await port.redo()).toEqual({ ok: true, text: '' })
    expect(await port.redo()).toEqual({ ok: false, text: 'Nothing to redo' })
  })

  it('a summary of an older server replaces the messages that its compaction took out', async () => {
    const { world, port } = await remote({ open: long })
    await port.compact()
    const { session } = await port.opened()
    const { url } = await olderServer(world)
    const open = { kind: 'id' as const, id: session.id }
    const old = await openRemotePort({ url, token: TOKENS[0].token, open })
    onTestFinished(() => old.close())
    expect(await old.summary()).toMatchObject({ text: SUMMARY, standsFor: 19 })
  })

  it('a pin of a compacted message puts it back, and the status has its tokens', async () => {
    const { port, events } = await remote({ open: long })
    await port.compact()
    const tokens = () => events.findLast((event) => event.type === 'status')?.status.tokens ?? 0
    const before = tokens()
    expect(await port.pin(1)).toEqual({ ok: true, text: '' })
    expect(events.findLast((event) => event.type === 'entry')?.entry).toMatchObject({ type: 'pin', back: [1] })
    expect(tokens()).toBeGreaterThan(before)
  })

  it('a part is left out and put back as on this machine, with its price and the server’s refusals', async () => {
    const { port, events } = await remote({ open: long })
    const entry = () => events.findLast((event) => event.type === 'entry')?.entry
    const [largest] = await port.leaveOutChoices()
    expect(largest).toMatchObject({ select: expect.stringMatching(/^turn:#\d+$/), parts: 2 })
    expect(await port.leaveOut('#1-#2', 'now')).toEqual({ ok: true, text: 'Breaks the cache from #1 on.' })
    expect(entry()).toMatchObject({ type: 'leave-out', targets: [{ from: 1, upTo: 2 }] })
    expect(await port.leaveOut('nonsense', 'now')).toMatchObject({
      ok: false,
      text: '`nonsense` is not a handle: write #12, or #12-#20 for a range',
    })
    expect(await port.putBack(2)).toEqual({ ok: true, text: '' })
    expect(entry()).toMatchObject({ type: 'put-back' })
    expect(await port.putBack(2)).toEqual({ ok: false, text: '#2 is not left out' })
    expect(await port.leaveOut('#3-#4', 'cold')).toEqual({ ok: true, text: '' })
    expect(entry()).toMatchObject({ type: 'leave-out', waits: true })
  })

  it('a model that is asked again during a compaction is shown as on this machine', async () => {
    const { port, events } = await remote({ open: long, faults: [{ at: 1, fault: { fault: 'rate-limit' } }] })
    await port.compact()
    const retries = events.filter((event) => event.type === 'compaction' && event.event.type === 'retry')
    expect(retries).toEqual([
      {
        type: 'compaction',
        automatic: false,
        event: { type: 'retry', inMs: expect.any(Number), reason: expect.stringContaining('rate limit') },
      },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'compaction-ended', result: { outcome: 'compacted' } })
  })

  it('a hook that refuses a compaction is reported as on this machine', async () => {
    const hooks = { beforeCompaction: { command: 'echo not now >&2; exit 1' } }
    const { port, events } = await remote({ open: long, settings: { hooks, policy: { preset: 'agent' } } })
    await port.compact()
    const result = { outcome: 'refused', reason: 'not now' }
    expect(events).toEqual([{ type: 'compaction-ended', automatic: false, result }])
  })

  it.each([
    [
      'nothing to do is a skip with its reason',
      {},
      undefined,
      { outcome: 'skipped', reason: 'Not enough messages to compact' },
    ],
    ['a model that fails is a failure', { summaries: 'fail' as const }, long, { outcome: 'failed' }],
    ['no model is said as such', { noModel: true as const }, long, { outcome: 'no-model' }],
  ])('%s', async (_, options, open, result) => {
    const { port, events } = await remote({ ...options, ...(open === undefined ? {} : { open }) })
    await port.compact()
    expect(events.find(({ type }) => type === 'compaction-ended')).toMatchObject({ result })
  })

  it('a compaction and a reply are interrupted', async () => {
    let asked = 0
    const hangs: Brain = async () => {
      asked++
      await new Promise(() => {})
      return { text: '' }
    }
    const { port, events } = await remote({ brain: hangs, open: long })
    const compacting = port.compact()
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1)
    await port.interrupt()
    await compacting
    expect(events.find(({ type }) => type === 'compaction-ended')).toMatchObject({ result: { outcome: 'cancelled' } })
    const talking = port.say('Hi')
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(2)
    await port.interrupt()
    await talking
    expect(events.at(-1)).toMatchObject({ type: 'turn-ended', reason: 'aborted' })
  })

  it('everything else that the terminal asks for is answered', async () => {
    const { port, events } = await remote({ open: long })
    const context = await port.context()
    expect(context.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(context.status.tokens)
    expect((await port.policy()).preset).toBe('agent')
    expect(await port.setPolicy('keep_messages', '3')).toMatchObject({ ok: true })
    expect((await port.policy()).values).toContainEqual({ key: 'keep_messages', value: '3', source: 'server' })
    expect(await port.setPolicy('keep_mesages', '3')).toMatchObject({
      ok: false,
      text: expect.stringContaining('keep_messages'),
    })
    expect((await port.recall('question 3'))[0]?.text).toContain('question')
    expect(await port.recall('#2')).toMatchObject([{ seq: 2, type: 'assistant' }])
    expect(await port.recall('NOSUCHTHING')).toEqual([])
    expect(await port.pin(2)).toMatchObject({ ok: true })
    expect(await port.redact([3])).toMatchObject({ ok: true })
    expect(await port.redact([3_000])).toMatchObject({ ok: false })
    expect(await port.todos()).toEqual([])
    expect(await port.models()).toContainEqual({ name: 'local/cheap', window: 20_000, usable: true })
    expect(await port.setModel('local/cheap')).toMatchObject({ ok: true })
    expect(events).toContainEqual({ type: 'model', model: 'local/cheap' })
    expect(await port.spent()).toMatchObject({ calls: 0, compactions: 0 })
    expect(await port.rename('Named')).toMatchObject({ ok: true })
    expect((await port.sessions())[0]).toMatchObject({ title: 'Named', fork: false })
    expect(await port.rewindReport(5)).toMatchObject({
      files: [],
      unavailable: expect.stringContaining('on the server'),
    })
    expect(await port.rewind({ to: 5, files: 'all', conversation: false })).toMatchObject({ ok: false })
    const unknown = { ok: false, text: 'This session has no entry #999' }
    expect(await port.rewind({ to: 999, files: 'none', conversation: true })).toEqual(unknown)
    expect(await port.fork(999)).toEqual(unknown)
    expect(await port.rewind({ to: 5, files: 'none', conversation: true })).toMatchObject({ ok: true })
    const opened = events.findLast((event) => event.type === 'opened')
    expect(opened).toMatchObject({ opened: { session: { title: 'Named (fork)' } } })
  })

  it('what a session has cost is known when it is opened, and after every reply and compaction', async () => {
    const { port, events, world } = await remote({ open: long, prices: { input: 3, output: 15 } })
    expect((await port.opened()).cost).toBe(0)
    await port.say('Hi')
    const costs = () => events.flatMap((event) => (event.type === 'status' ? [event.cost ?? Number.NaN] : []))
    const afterReply = costs().at(-1) ?? 0
    expect(afterReply).toBeGreaterThan(0)
    await port.compact()
    expect(costs().at(-1)).toBeGreaterThan(afterReply)
    const spent = await port.spent()
    expect(spent).toMatchObject({ calls: 1, compactions: 1, cost: costs().at(-1) })
    const { id } = (await port.opened()).session
    const options = { url: world.url, token: TOKENS[0].token }
    const again = await openRemotePort({ ...options, open: { kind: 'id', id } })
    onTestFinished(() => again.close())
    expect((await again.opened()).cost).toBe(spent.cost)
  })

  it('the known part of the cost is shown when a session is opened in which a call has no price', async () => {
    const { world, port } = await remote({ open: long, prices: { input: 3, output: 15 } })
    await port.say('Hi')
    const { cost: known } = await port.spent()
    expect(known).toBeGreaterThan(0)
    const { id } = (await port.opened()).session
    const unpriced = { message: assistant('Hello.'), model: 'nobody/knows' }
    await world.store.append(id, [{ type: 'message', ...unpriced, usage: { inputTokens: 10, outputTokens: 5 } }])
    const options = { url: world.url, token: TOKENS[0].token }
    const again = await openRemotePort({ ...options, open: { kind: 'id', id } })
    onTestFinished(() => again.close())
    const opened = await again.opened()
    expect(opened).toMatchObject({ knownCost: known })
    expect(opened.cost).toBeUndefined()
  })

  it('what a tool wants to do on the server is asked here, and the answer goes back', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-workspace-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const brain: Brain = ({ messages }) => {
      const said = messages.findLast(({ role }) => role === 'user')
      return messages.at(-1) === said
        ? { calls: [{ name: 'write', input: { path: `${textOf(said)}.txt`, content: 'hello' } }] }
        : { text: 'Done.' }
    }
    const workspaces = { code: { path: folder, permissions: 'ask' } }
    const { port, events, world } = await remote({ brain, server: { workspaces } })
    // New sessions work in the only workspace of the server.
    expect((await port.opened()).session.workspace).toBe('code')
    for (const [name, answer] of [
      ['yes', { kind: 'once' }],
      ['no', { kind: 'tell', text: 'not that' }],
      ['all', { kind: 'session' }],
    ] as const) {
      const saying = port.say(name)
      const asked = () => events.findLast((event) => event.type === 'question')?.question
      await expect.poll(asked, { timeout: 20_000 }).toMatchObject({ kind: 'permission', action: 'edit' })
      const question = asked()
      expect(question).toMatchObject({ target: expect.stringContaining(`${name}.txt`) })
      expect(question).not.toHaveProperty('rule')
      await port.answer(question?.id ?? '', answer)
      await saying
      expect(events).toContainEqual({ type: 'question-closed', id: question?.id })
      events.splice(0)
    }
    await port.say('later')
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'question' }))
    expect(readdirSync(folder).toSorted()).toEqual(['all.txt', 'later.txt', 'yes.txt'])
    const where = { url: world.url, token: TOKENS[0].token, open: { kind: 'new' as const } }
    await expect(openRemotePort({ ...where, workspace: 'other' })).rejects.toThrow(/no workspace other: it has code/)
  })

  it('an @ completes the files of the server’s workspace, and none outside of one', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-workspace-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'src'))
    for (const name of ['src/parser.ts', 'notes.md']) writeFileSync(join(folder, name), '')
    const { port, world } = await remote({ server: { workspaces: { code: { path: folder } } } })
    expect(await port.files('pars')).toEqual(['src/parser.ts'])
    expect((await port.files('')).toSorted()).toEqual(['notes.md', 'src/parser.ts'])
    const elsewhere = await world.session()
    expect((await world.ask('GET', `/v1/sessions/${elsewhere}/files?q=pars`)).body).toEqual({ paths: [] })
  })

  it('a session in which only greetings were said is listed under them', async () => {
    const { world, port } = await remote()
    const id = await world.session({ messages: [{ role: 'user', content: 'hello' }] })
    expect(await port.sessions()).toContainEqual(expect.objectContaining({ id, title: 'hello' }))
  })

  it('a session in which nothing was said leaves no trace', async () => {
    const { world, port } = await remote()
    const { session } = await port.opened()
    await port.newSession()
    expect((await world.ask('GET', `/v1/sessions/${session.id}`)).status).toBe(404)
  })

  it('a wrong token and a server that is not there are one line each', async () => {
    const { world } = await remote()
    const options = { cwd: world.folder, open: { kind: 'new' as const } }
    await expect(openRemotePort({ url: world.url, token: 'wrong', ...options })).rejects.toThrow(
      /refuses: this server does not know that token/,
    )
    await expect(openRemotePort({ url: 'http://127.0.0.1:1', token: 'x', ...options })).rejects.toThrow(
      /cannot be reached/,
    )
  })

  it('the address that pith serve prints is enough', () => {
    expect(serverOf('http://127.0.0.1:7484/#token=pith_x', undefined)).toEqual({
      url: 'http://127.0.0.1:7484/',
      token: 'pith_x',
    })
    expect(serverOf('localhost:7484', 'pith_y')).toEqual({ url: 'http://localhost:7484/', token: 'pith_y' })
    expect(() => serverOf('http://localhost:7484', undefined)).toThrow(/needs a token/)
  })
})
