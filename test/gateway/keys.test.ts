import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { anthropicFace } from '../../src/gateway/faces/anthropic-face.ts'
import { rewriteMode } from '../../src/gateway/modes/modes.ts'
import { openStore } from '../../src/store/open-store.ts'
import { clientRequest } from './support/conversations.ts'
import { call, gatewayWorld, upstreamServer } from './support/world.ts'

const ANSWER =
  '{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3}}'

it('the key of one client is never sent with the request of another, nor with a request for a summary of it', async () => {
  const seen: { key: unknown; body: string }[] = []
  const upstream = await upstreamServer(async (request, response) => {
    seen.push({ key: request.headers['x-api-key'], body: await text(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
  const store = await openStore(':memory:')
  const common = { store, key: Buffer.alloc(32), owner: 'local', holder: 'test:1', clock: Date.now }
  const mode = rewriteMode({
    ...common,
    policy: { tokenLimit: 2_000, preparePercent: 50 },
    modelInfo: () => ({ contextWindow: 20_000 }),
    summaries: 'same-request',
    configured: async () => [],
  })
  const { url } = await gatewayWorld(upstream, { ...common, mode })
  const clients = ['alice', 'bob', 'carol'].map((name) => ({ name, messages: [] as object[] }))
  for (let turn = 0; turn < 4; turn++) {
    const asked = clients.map(({ name, messages }) => {
      messages.push({ role: 'user', content: `${name} ${turn}: ${`${name} says `.repeat(250)}` })
      const body = JSON.stringify({ model: 'm', max_tokens: 9, messages })
      messages.push({ role: 'assistant', content: 'hi' })
      return call(`${url}/v1/messages`, { body, headers: { 'x-api-key': `sk-${name}` } })
    })
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  }
  expect(seen.length).toBeGreaterThan(12)
  for (const { name } of clients) {
    const own = seen.filter(({ body }) => body.includes(`${name} says`))
    expect(own.length).toBeGreaterThan(3)
    expect(new Set(own.map(({ key }) => key))).toEqual(new Set([`sk-${name}`]))
  }
})

it('a bug in the reading of a protocol does not keep a request from its provider', async () => {
  const { path, body } = clientRequest('anthropic')
  const seen: string[] = []
  const upstream = await upstreamServer(async (request, response) => {
    seen.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
  const { messagesOf } = anthropicFace
  onTestFinished(() => void Object.assign(anthropicFace, { messagesOf }))
  Object.assign(anthropicFace, {
    messagesOf: () => {
      throw new Error('a bug')
    },
  })
  const { url, lines } = await gatewayWorld(upstream)
  expect((await call(url + path, { body })).status).toBe(200)
  expect(seen).toEqual([Buffer.from(body).toString()])
  await expect.poll(() => lines).toEqual([expect.stringContaining('a bug')])
})
