import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FaceName } from '../../../src/gateway/faces/face.ts'
import { clientRequest } from '../support/conversations.ts'
import { call, gatewayWorld, opened, PREFIX, upstreamServer } from '../support/world.ts'

const FACES: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

describe('a gateway that observes', () => {
  it.each(FACES)('sends the bytes and headers of a request of %s as the client wrote them', async (face) => {
    const seen: { request: IncomingMessage; body: Buffer }[] = []
    const upstream = await upstreamServer(async (request, response) => {
      seen.push({ request, body: await buffer(request) })
      response.end('{}')
    })
    const { url } = await gatewayWorld(upstream)
    const { path, body } = clientRequest(face)
    const headers = { 'X-Api-Key': 'sk-1', 'Content-Type': 'application/json', 'anthropic-beta': 'a,b' }
    await call(url + path, { body, headers })
    expect(seen[0]?.body).toEqual(body)
    expect(seen[0]?.request.url).toBe(path)
    const { host, connection: _, ...passed } = seen[0]?.request.headers ?? {}
    expect(host).toBe(new URL(upstream).host)
    expect(passed).toEqual({
      'x-api-key': 'sk-1',
      'content-type': 'application/json',
      'anthropic-beta': 'a,b',
      'content-length': String(body.length),
    })
  })

  it('passes a compressed answer on without touching it', async () => {
    const packed = gzipSync('{"type":"message","content":[]}')
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json', 'request-id': 'r1' })
      response.end(packed)
    })
    const { url } = await gatewayWorld(upstream)
    const reply = await call(`${url}/v1/messages`, { body: '{}', headers: { 'accept-encoding': 'gzip' } })
    expect(reply.body).toEqual(packed)
    expect(gunzipSync(reply.body).toString()).toContain('message')
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'request-id': 'r1' })
  })

  it('passes each piece of a stream on as it comes', async () => {
    let finish = () => {}
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      finish = () => response.end('data: 2\n\n')
    })
    const { url } = await gatewayWorld(upstream)
    const response = await opened(`${url}/v1/messages`, { body: '{}' })
    const [first] = await once(response, 'data')
    expect(String(first)).toBe('data: 1\n\n')
    finish()
    expect(String(await buffer(response))).toBe('data: 2\n\n')
  })

  it('passes errors of the provider on with their status, headers and words', async () => {
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(429, 'Slow Down', { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] })
      response.end('{"error":"rate"}')
    })
    const { url } = await gatewayWorld(upstream)
    const reply = await call(`${url}/v1/messages`, { body: '{}' })
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] } })
    expect(String(reply.body)).toBe('{"error":"rate"}')
  })

  it('ends the request to the provider when the client goes away', async () => {
    const closed = Promise.withResolvers<void>()
    const upstream = await upstreamServer((_, response) => {
      response.once('close', () => closed.resolve())
      response.writeHead(200).write('data: 1\n\n')
    })
    const { url, lines } = await gatewayWorld(upstream)
    const response = await opened(`${url}/v1/messages`, { body: '{}' })
    response.destroy()
    await closed.promise
    expect(lines).toEqual([])
  })

  it('breaks the connection when the provider breaks off, so that the client knows', async () => {
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(200).write('data: 1\n\n')
      setImmediate(() => response.socket?.resetAndDestroy())
    })
    const { url } = await gatewayWorld(upstream)
    await expect(call(`${url}/v1/messages`, { body: '{}' })).rejects.toThrow(/aborted|reset|hang up/)
  })

  it('lists a request that came to no end among the others, with the session that it belongs to', async () => {
    const upstream = await upstreamServer((_, response) => {
      response.writeHead(200).write('data: 1\n\n', () => response.destroy())
    })
    const { url, store, requests } = await gatewayWorld(upstream)
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello there' }] })
    await expect(call(`${url}/v1/messages`, { body })).rejects.toThrow(/aborted|reset|hang up/)
    await expect.poll(requests).toHaveLength(1)
    const { sessions } = await store.sessions()
    expect(await requests()).toMatchObject([{ status: 200, session: sessions[0]?.id, why: 'observed, broken off' }])
  })

  it('lists a request whose provider could not be reached with the status that the client got', async () => {
    const { url, requests } = await gatewayWorld('http://127.0.0.1:1')
    expect((await call(`${url}/v1/messages`, { body: '{}' })).status).toBe(502)
    await expect
      .poll(requests)
      .toMatchObject([{ status: 502, why: 'observed, the provider could not be reached', bytesIn: 2, answerBytes: 0 }])
  })

  it('passes everything else through: other methods, paths and queries', async () => {
    const seen: string[] = []
    const upstream = await upstreamServer(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${await buffer(request)}`)
      response.end(request.method === 'HEAD' ? undefined : 'ok')
    })
    const { url, store } = await gatewayWorld(upstream)
    await call(`${url}/api/hello`, { method: 'HEAD' })
    await call(`${url}/v1/models?limit=2`, { method: 'GET' })
    await call(`${url}/v1/messages/count_tokens`, { body: '{"messages":[]}' })
    await call(`${url}/v1/files/1`, { method: 'DELETE' })
    expect(seen).toEqual([
      'HEAD /api/hello ',
      'GET /v1/models?limit=2 ',
      'POST /v1/messages/count_tokens {"messages":[]}',
      'DELETE /v1/files/1 ',
    ])
    expect((await store.sessions()).sessions).toEqual([])
  })

  it('refuses a websocket with the status after which Codex speaks HTTP', async () => {
    const { gateway } = await gatewayWorld('http://127.0.0.1:1')
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(
      `GET /${PREFIX}/local/v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    expect(String(await buffer(socket))).toMatch(/^HTTP\/1.1 426 /)
  })

  it('says in one line that the provider cannot be reached', async () => {
    const { url, lines } = await gatewayWorld('http://127.0.0.1:1')
    const reply = await call(`${url}/v1/messages`, { body: '{}' })
    expect(reply.status).toBe(502)
    expect(String(reply.body)).toContain('Pith cannot reach local')
    expect(lines).toHaveLength(1)
  })
})
