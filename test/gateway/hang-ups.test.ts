import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { FaceName } from '../../src/gateway/faces/face.ts'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import { type HeardAnswer, passOn } from '../../src/gateway/upstream/pass-on.ts'
import { type Entry, type Message, textOf } from '../../src/model/types.ts'
import type { Store } from '../../src/store/store.ts'
import { requestFor } from './support/fake-agent.ts'
import { call, gatewayWorld, opened, upstreamServer } from './support/world.ts'

const USAGE = { inputTokens: 900, outputTokens: 50, cacheReadTokens: 800 }
const HELLO = { role: 'user', content: 'Hello there' } as const

/** The events of an answer. */
function eventsOf(face: FaceName): string[] {
  const answer = { text: 'Step done.', model: 'm', usage: USAGE, isStream: true, id: '1', at: 0 }
  return faceNamed(face)
    .render(answer)
    .body.split(/(?<=\n\n)/)
}

/** A provider that sends the events one by one, and never ends its answer. `left` resolves when we have closed the connection. */
async function endless(events: readonly string[], encoded = (text: string): string | Buffer => text, headers = {}) {
  const left = Promise.withResolvers<void>()
  const answers: ServerResponse[] = []
  const url = await upstreamServer(async (request, response) => {
    await buffer(request)
    response.once('close', () => left.resolve())
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    answers.push(response)
    for (const event of events) response.write(encoded(event))
  })
  return { url, left: left.promise, answers }
}

/** A client that reads until its answer has a text, and then closes the connection. */
async function leaveAt(url: string, face: FaceName, text: string | Buffer) {
  const { path, body } = requestFor(face, [HELLO])
  const response = await opened(url + path, { body: JSON.stringify(body) })
  let heard = Buffer.alloc(0)
  for await (const piece of response) {
    heard = Buffer.concat([heard, piece])
    if (heard.includes(text)) break
  }
  response.destroy()
}

/** The recorded conversation. */
async function logOf(store: Store): Promise<readonly Entry[]> {
  const { sessions } = await store.sessions()
  expect(sessions.length).toBeLessThan(2)
  if (sessions[0] === undefined) return []
  return (await store.entries(sessions[0].id)).entries.filter(({ type }) => type !== 'settings')
}

const ANSWERED = [
  { type: 'message', message: { role: 'user' } },
  { type: 'message', message: { role: 'assistant' }, usage: USAGE, model: 'local/m' },
]

test('a client that hangs up before the answer has begun ends the request at the provider', async () => {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const upstream = await upstreamServer(async (request, response) => {
    response.once('close', () => left.resolve())
    await buffer(request)
    asked.resolve()
  })
  const { url, requests } = await gatewayWorld(upstream)
  const { path, body } = requestFor('anthropic', [HELLO])
  const client = new AbortController()
  const answer = fetch(url + path, { method: 'POST', body: JSON.stringify(body), signal: client.signal })
  await asked.promise
  client.abort()
  await expect(answer).rejects.toThrow()
  await left.promise
  await expect.poll(requests).toMatchObject([{ why: expect.stringContaining('broken off') }])
})

describe('a client that hangs up while the provider’s stream is still open', () => {
  test.each<[FaceName, string]>([
    ['anthropic', 'message_stop"}\n\n'],
    ['anthropic', 'event: message_delta\n'],
    ['openai-responses', 'event: response.completed\n'],
    ['openai-chat', '[DONE]\n\n'],
    ['gemini', 'finishReason'],
  ])('has heard the answer: %s at %s', async (face, at) => {
    const events = eventsOf(face)
    const last = events.findIndex((event) => event.includes(at.trim()))
    const { url: upstream } = await endless(events.slice(0, last + 1))
    const { url, store, requests } = await gatewayWorld(upstream)

    await leaveAt(url, face, at)

    await expect.poll(() => logOf(store)).toMatchObject(ANSWERED)
    await expect.poll(requests).toMatchObject([{ why: 'observed', inputTokens: 900, outputTokens: 50, status: 200 }])
  })

  test('has heard the answer although the usage comes a moment later', async () => {
    const events = eventsOf('openai-chat')
    const { url: upstream, answers } = await endless(events.slice(0, -2))
    const { url, store } = await gatewayWorld(upstream)

    await leaveAt(url, 'openai-chat', '"finish_reason":"stop"')
    for (const event of events.slice(-2)) answers[0]?.write(event)

    await expect.poll(() => logOf(store)).toMatchObject(ANSWERED)
  })

  test('has heard a compressed answer', async () => {
    const packed = gzipSync(eventsOf('openai-responses').join(''), { finishFlush: constants.Z_SYNC_FLUSH })
    const { url: upstream } = await endless([''], () => packed, { 'content-encoding': 'gzip' })
    const { url, store } = await gatewayWorld(upstream)

    await leaveAt(url, 'openai-responses', packed)

    await expect.poll(() => logOf(store)).toMatchObject(ANSWERED)
  })

  test('has not heard an answer that it interrupts: the provider stops, and the tokens so far are counted', async () => {
    const { url: upstream, left } = await endless(eventsOf('anthropic').slice(0, 3))
    const { url, store, requests } = await gatewayWorld(upstream)

    await leaveAt(url, 'anthropic', 'Step done.')

    await left
    await expect
      .poll(() => logOf(store))
      .toMatchObject([
        { type: 'message', message: { role: 'user' } },
        { type: 'void', usage: { inputTokens: 900 }, model: 'local/m' },
      ])
    await expect.poll(requests).toMatchObject([{ why: 'observed, broken off', inputTokens: 900, status: 200 }])
  })

  test('sends back what it uses of an interrupted answer, and the session continues', async () => {
    const { url: upstream } = await endless(eventsOf('anthropic').slice(0, 3))
    const { url, store } = await gatewayWorld(upstream)
    await leaveAt(url, 'anthropic', 'Step done.')
    await expect.poll(() => logOf(store)).toHaveLength(2)

    const { path, body } = requestFor('anthropic', [
      HELLO,
      { role: 'assistant', content: [{ type: 'text', text: 'Step' }] },
      { role: 'user', content: 'No, stop' },
    ])
    // Its answer does not end before the test does.
    opened(url + path, { body: JSON.stringify(body) }).catch(() => undefined)

    const texts = async () =>
      (await logOf(store)).flatMap((entry) => (entry.type === 'message' ? textOf(entry.message) : []))
    await expect.poll(texts).toEqual(['Hello there', 'Step', 'No, stop'])
  })
})

test('a request that comes before the last stream has ended is recorded after its answer', async () => {
  const { url: upstream } = await endless(eventsOf('anthropic'))
  const { url, store } = await gatewayWorld(upstream)
  const first = requestFor('anthropic', [HELLO])
  const response = await opened(url + first.path, { body: JSON.stringify(first.body) })
  for await (const piece of response.iterator({ destroyOnReturn: false })) if (piece.includes('message_stop')) break

  const done: Message = { role: 'assistant', content: 'Step done.' }
  const { path, body } = requestFor('anthropic', [HELLO, done, { role: 'user', content: 'And now?' }])
  await opened(url + path, { body: JSON.stringify(body) })

  const next = { type: 'message', message: { role: 'user' } }
  await expect.poll(() => logOf(store)).toMatchObject([...ANSWERED, next, ANSWERED[1]])
})

test('a provider that does not end its stream is left soon after the client', async () => {
  const stopped = Promise.withResolvers<void>()
  const heard: HeardAnswer[] = []
  const source = new PassThrough()
  const url = await upstreamServer((_, client) =>
    passOn(Object.assign(source, { statusCode: 200, rawHeaders: [], headers: {} }), client, {
      isLast: () => true,
      wantsRest: () => false,
      onEnd: (answer) => heard.push(answer),
      stop: () => stopped.resolve(),
      restMs: 1,
    }),
  )
  source.write('all of it')
  const response = await opened(url)
  response.once('data', () => response.destroy())

  await stopped.promise
  expect(heard).toEqual([{ bytes: Buffer.from('all of it'), isCut: false }])
})

test('the bytes of a client that stays are the provider’s, whatever comes after the last event', async () => {
  const sent = [...eventsOf('openai-chat'), ': the end\n\n'].join('')
  const upstream = await upstreamServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sent)
  })
  const { url } = await gatewayWorld(upstream)
  const { path, body } = requestFor('openai-chat', [HELLO])
  expect(String((await call(url + path, { body: JSON.stringify(body) })).body)).toBe(sent)
})
