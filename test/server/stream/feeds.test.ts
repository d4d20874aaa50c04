import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WireEvent } from '../../../src/contract/shapes/wire-events.ts'
import { requestListener } from '../../../src/server/serve.ts'
import { type FeedEvent, Feeds, MOST_WAITING_BYTES } from '../../../src/server/stream/feeds.ts'
import { user } from '../../support/messages.ts'
import { eventsUntil } from '../support/events.ts'
import { serverWorld, TOKENS } from '../support/world.ts'

describe('a feed', () => {
  it('is read and encoded once for all of its listeners, and ends with the last one', async () => {
    const { source, say, state } = speaker()
    const feeds = new Feeds()
    const one = feeds.join('a', { position: 4, source }, () => undefined)
    say(5)
    await expect.poll(() => state.sent).toBe(1)
    const two = feeds.join('a', { position: 9, source }, () => undefined)
    expect([one.position, two.position]).toEqual([4, 5])
    say(6)
    const first = await take(one.queue, 2)
    expect(first.map(({ seq }) => seq)).toEqual([5, 6])
    expect((await take(two.queue, 1))[0]).toBe(first[1])
    one.leave()
    expect(state.ended).toBe(0)
    two.leave()
    await expect.poll(() => state.ended).toBe(1)
    expect(state.begun).toBe(1)
  })

  it('hangs up on a listener that leaves more waiting than the limit, and on no other', async () => {
    const { source, say, state } = speaker('x'.repeat(MOST_WAITING_BYTES / 2))
    const feeds = new Feeds()
    const cut: string[] = []
    const deaf = feeds.join('a', { position: 0, source }, () => cut.push('deaf'))
    const reader = feeds.join('a', { position: 0, source }, () => cut.push('reader'))
    const events = reader.queue.events(new AbortController().signal)
    for (const seq of [1, 2, 3]) {
      say(seq)
      expect((await events.next()).value).toMatchObject({ seq })
    }
    expect(state.sent).toBe(3)
    expect(cut).toEqual(['deaf'])
    expect((await deaf.queue.events(new AbortController().signal).next()).done).toBe(true)
  })

  it('lets one event be larger than the limit', async () => {
    const { source, say } = speaker('x'.repeat(MOST_WAITING_BYTES * 2))
    const cut: string[] = []
    const { queue } = new Feeds().join('a', { position: 0, source }, () => cut.push('cut'))
    say(1)
    expect((await take(queue, 1))[0]?.seq).toBe(1)
    expect(cut).toEqual([])
  })

  it('ends its listeners when its source fails, and begins again for the next', async () => {
    const feeds = new Feeds()
    const broken = async function* (): AsyncGenerator<never, void> {
      yield await Promise.reject(new Error('no database'))
    }
    const { queue } = feeds.join('a', { position: 1, source: broken }, () => undefined)
    expect((await queue.events(new AbortController().signal).next()).done).toBe(true)
    expect(feeds.join('a', { position: 2, source: speaker().source }, () => undefined).position).toBe(2)
  })
})

it('a client that reads nothing is disconnected, and gets everything when it comes back', async () => {
  const { app, session, store, services } = await serverWorld()
  const id = await session({})
  const headers = { authorization: `Bearer ${TOKENS[0].token}`, 'last-event-id': '0' }
  const left = new AbortController()
  let isCut = false
  const outgoing = {
    destroy() {
      isCut = true
      left.abort()
    },
  }
  const url = `http://localhost/v1/sessions/${id}/events`
  const answer = await app.request(url, { headers, signal: left.signal }, { outgoing })
  await answer.body?.getReader().read()
  const message = user('What was said. '.repeat(5_000))
  for (let i = 0; i < 8; i++) await store.append(id, [{ type: 'message', message }])
  await expect.poll(() => isCut).toBe(true)
  expect(services.streams.size).toBe(0)
  const events = await eventsUntil(await app.request(url, { headers }), (event) => event.id === '8')
  expect(events.map((event) => event.id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

it('a socket that reads nothing is closed when its buffers are full, and the session is not opened for it', async () => {
  const { app, services, store } = await serverWorld()
  const server = createServer(requestListener(app)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { id } = await store.createSession({ owner: 'local', workspace: '' })
  const authorization = `Bearer ${TOKENS[0].token}`
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /v1/sessions/${id}/events HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`)
  await once(socket, 'readable')
  expect(services.streams.size).toBe(1)
  const message = user('What was said. '.repeat(70_000))
  // The kernel takes a few megabytes before anything waits in the server.
  const said = 12
  for (let i = 0; i < said; i++) await store.append(id, [{ type: 'message', message }])
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0)
  expect(services.streams.size).toBe(0)
  expect(await services.sessions.held(id)).toBeUndefined()
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions/${id}/events`, {
    headers: { authorization, 'last-event-id': '0' },
  })
  const events = await eventsUntil(answer, (event) => event.id === String(said))
  expect(events).toHaveLength(said)
})

/** A source that says what it is given. */
function speaker(text = 'hello') {
  const state = { begun: 0, ended: 0, sent: 0 }
  const waiting: number[] = []
  let wake = () => {}
  const say = (seq: number) => {
    waiting.push(seq)
    wake()
  }
  async function* source(signal: AbortSignal): AsyncGenerator<{ seq: number; event: WireEvent }, void> {
    state.begun++
    signal.addEventListener('abort', () => wake())
    while (!signal.aborted) {
      for (let seq = waiting.shift(); seq !== undefined; seq = waiting.shift()) {
        yield { seq, event: { event: 'notice', data: { text } } }
        state.sent++
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        if (waiting.length > 0 || signal.aborted) resolve()
      })
    }
    state.ended++
  }
  return { source, say, state }
}

async function take(queue: { events(signal: AbortSignal): AsyncGenerator<FeedEvent, void> }, count: number) {
  const taken: FeedEvent[] = []
  const events = queue.events(new AbortController().signal)
  while (taken.length < count) {
    const { value } = await events.next()
    if (value === undefined) break
    taken.push(value)
  }
  return taken
}
