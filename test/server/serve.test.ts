import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { serve } from '../../src/server/serve.ts'
import { serverWorld, TOKENS } from './support/world.ts'

it('a server listens on a free port until it is stopped, and says when a port is taken', async () => {
  const { services, models } = await serverWorld()
  const options = { ...services, models, host: '127.0.0.1', port: 0 }
  const running = await serve(options)
  expect(await (await fetch(`${running.url}/health`)).json()).toEqual({ status: 'ok' })
  const port = Number(new URL(running.url).port)
  await expect(serve({ ...options, port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port} (something else listens there): choose another with --port`,
  )
  await Promise.all([running.stop(), running.stop()])
  await expect(fetch(`${running.url}/health`)).rejects.toThrow()
})

it('a server takes requests of a gateway with headers of more than 16 kB', async () => {
  const { services, models } = await serverWorld()
  const { url, stop } = await serve({ ...services, models, host: '127.0.0.1', port: 0 })
  expect((await fetch(`${url}/health`, { headers: { 'x-long': 'x'.repeat(40_000) } })).status).toBe(200)
  await stop()
})

it('before a server closes its port it says so at /ready for a while, and answers anyway', async () => {
  const { services, models, session } = await serverWorld()
  const id = await session()
  const running = await serve({ ...services, models, host: '127.0.0.1', port: 0 })
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${TOKENS[0].token}` }
    return (await fetch(`${running.url}${path}`, { headers })).status
  }
  expect(await get('/ready')).toBe(200)
  const stopped = running.stop(1_000)
  expect(await get('/ready')).toBe(503)
  expect(await get('/health')).toBe(200)
  expect(await get(`/v1/sessions/${id}`)).toBe(200)
  await stopped
  await expect(fetch(`${running.url}/health`)).rejects.toThrow()
})

it('a server that stops closes a connection that has said nothing at once, and one with a request after its grace', async () => {
  const { services, models } = await serverWorld()
  const { server, url, stop } = await serve({ ...services, models, host: '127.0.0.1', port: 0 })
  const silent = await connected(server)
  const asking = await connected(server)
  const asked = once(server, 'request')
  const head = `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKENS[0].token}\r\n`
  asking.write(`${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`)
  await asked
  const stopped = stop()
  await once(silent, 'close')
  expect(await promisify(server.getConnections.bind(server))()).toBe(1)
  await stopped
  await expect(fetch(url)).rejects.toThrow()
})

it('a server that stops answers a request that was on its way', async () => {
  const { services, models } = await serverWorld()
  const { server, stop } = await serve({ ...services, models, host: '127.0.0.1', port: 0 })
  const asking = await connected(server)
  asking.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const stopped = stop()
  expect(await text(asking)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}/)
  await stopped
})

it.each([
  // More than the HTTP library reads of a refused body by itself.
  ['chunked', 'keep-alive', 80],
  ['length', 'close', 8],
])(
  'a client that reads only when it has sent all of a body that is too large gets the refusal (%s, %s)',
  async (how, connection, megabytes) => {
    const { services, models } = await serverWorld({ server: { body_limit_bytes: 100_000 } })
    const { server, stop } = await serve({ ...services, models, host: '127.0.0.1', port: 0 })
    const sending = await connected(server)
    const closed = once(sending, 'close')
    const piece = 'x'.repeat(1024 * 1024)
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKENS[0].token}\r\nConnection: ${connection}\r\n`
    const length = how === 'length' ? `Content-Length: ${megabytes * piece.length}` : 'Transfer-Encoding: chunked'
    sending.pause()
    sending.write(`${head}Content-Type: application/json\r\n${length}\r\n\r\n`)
    const part = how === 'length' ? piece : `${piece.length.toString(16)}\r\n${piece}\r\n`
    for (let i = 0; i < megabytes && !sending.destroyed; i++)
      if (!sending.write(part)) await Promise.race([once(sending, 'drain'), closed])
    if (how === 'chunked') sending.write('0\r\n\r\n')
    const [answer] = await once(sending.resume(), 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 .*\r\n[\s\S]*"code":"too-large"[^}]*server\.body_limit_bytes/)
    sending.destroy()
    await stop()
  },
)

/** A connection that the server has taken, and that has asked for nothing yet. */
async function connected(server: Server): Promise<Socket> {
  const accepted = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await accepted
  return socket
}
