import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { readBody } from '../../../src/gateway/upstream/read-body.ts'

it('a body of at most the limit is read whole, however it comes', async () => {
  const { received, send } = await world()
  send('four', 'four')
  expect(String(await readBody(await received, 8))).toBe('fourfour')
})

it('of a larger body the beginning is kept, and the stream has all the rest and nothing twice', async () => {
  const { received, send } = await world()
  send('a'.repeat(100_000), 'b'.repeat(1_000_000))
  const body = await readBody(await received, 10)
  if (!('rest' in body)) throw new Error('it was read whole')
  const head = Buffer.concat(body.head)
  const rest = await buffer(body.rest)
  // The beginning does not grow while the rest goes by: that would be the whole body in memory.
  expect(Buffer.concat(body.head).length).toBe(head.length)
  expect(String(Buffer.concat([head, rest]))).toBe('a'.repeat(100_000) + 'b'.repeat(1_000_000))
})

it('a client that goes away before its body has ended is an error', async () => {
  const { received, client } = await world()
  client.write('half')
  const reading = readBody(await received, 100)
  client.destroy()
  await expect(reading).rejects.toThrow()
})

/** A server that passes out the request that it receives, and a client of it. */
async function world() {
  const { promise: received, resolve } = Promise.withResolvers<IncomingMessage>()
  const server = createServer(resolve)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' })
  client.on('error', () => undefined)
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const send = (...chunks: readonly string[]) => {
    for (const chunk of chunks) client.write(chunk)
    client.end()
  }
  return { received, client, send }
}
