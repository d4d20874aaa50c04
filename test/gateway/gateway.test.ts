import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Mode } from '../../src/gateway/modes/mode.ts'
import { openStore } from '../../src/store/open-store.ts'
import { full } from '../support/full.ts'
import { liveHeap } from '../support/live-heap.ts'
import { clientRequest } from './support/conversations.ts'
import { call, gatewayWorld, opened, upstreamServer } from './support/world.ts'

const { path, body } = clientRequest('anthropic')
const MEGABYTE = 1024 * 1024
const ANSWER =
  '{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3}}'

/** An upstream that keeps what it gets and answers. */
async function provider() {
  const seen: Buffer[] = []
  const url = await upstreamServer(async (request, response) => {
    seen.push(await buffer(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
  return { url, seen }
}

describe('the client’s bytes go to the provider', () => {
  it.each([
    ['the store is locked', 'database is locked'],
    ['the disk is full', 'database or disk is full'],
  ])('when %s', async (_, reason) => {
    const { url: upstream, seen } = await provider()
    const healthy = await openStore(':memory:')
    const fail = async () => {
      throw new Error(reason)
    }
    const store = { ...healthy, append: fail, createSession: fail, chainPlaces: fail, markChain: fail }
    const { url, lines, requests } = await gatewayWorld(upstream, { store })
    expect(String((await call(url + path, { body })).body)).toBe(ANSWER)
    expect(seen).toEqual([body])
    await expect.poll(() => lines.join('\n')).toContain(reason)
    expect(lines).toHaveLength(1)
    await expect.poll(async () => (await requests()).at(-1)?.why).toContain(`not recorded: ${reason}`)
  })

  it('when another process holds the lock of the database, and the next request brings what was missed', async () => {
    const { url: upstream, seen } = await provider()
    const folder = mkdtempSync(join(tmpdir(), 'pith-locked-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const store = await openStore(join(folder, 'pith.db'), { busyMs: 20 })
    const { url, lines } = await gatewayWorld(upstream, { store })
    const other = new DatabaseSync(join(folder, 'pith.db'))
    other.exec('BEGIN IMMEDIATE')
    expect((await call(url + path, { body })).status).toBe(200)
    await expect.poll(() => lines).toEqual([expect.stringContaining('locked')])
    other.exec('ROLLBACK')
    other.close()
    expect((await call(url + path, { body })).status).toBe(200)
    expect(seen).toEqual([body, body])
    const messages = async (id = '') => (await store.entries(id, { only: 'messages' })).entries.length
    const recorded = async () => (await store.sessions()).sessions.map(({ id }) => messages(id))
    await expect.poll(async () => Promise.all(await recorded())).toEqual([5])
  })

  it('when the store never answers, and the next request too', async () => {
    const { url: upstream, seen } = await provider()
    const healthy = await openStore(':memory:')
    const silent = Promise.withResolvers<never>()
    const { url } = await gatewayWorld(upstream, { store: { ...healthy, chainPlaces: () => silent.promise } })
    for (let i = 0; i < 3; i++) expect((await call(url + path, { body })).status).toBe(200)
    expect(seen).toHaveLength(3)
    silent.reject(new Error('closed'))
  })

  it.each([
    ['is no JSON', '{"messages": [', '/v1/messages'],
    ['has messages of an unknown shape', '{"messages":[1,null,"x",{"role":7,"content":{"a":[]}}]}', '/v1/messages'],
    ['has items of a kind that nobody knows', '{"input":[{"type":"hologram","data":[1]}]}', '/v1/responses'],
    ['is no UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe), '/v1/chat/completions'],
    ['is empty', '', '/v1/messages'],
  ])('when a body %s', async (_, odd, at) => {
    const { url: upstream, seen } = await provider()
    const { url } = await gatewayWorld(upstream)
    expect((await call(url + at, { body: odd })).status).toBe(200)
    expect(seen).toEqual([Buffer.from(odd)])
  })

  it('when a body is larger than what is read of one', async () => {
    const { url: upstream, seen } = await provider()
    const { url } = await gatewayWorld(upstream, full ? {} : { readLimitBytes: MEGABYTE })
    const huge = Buffer.alloc((full ? 60 : 4) * MEGABYTE, 0x20)
    expect((await call(`${url}/v1/messages`, { body: huge })).status).toBe(200)
    expect(seen[0]?.equals(huge)).toBe(true)
  })

  it('when a mode fails', async () => {
    const { url: upstream, seen } = await provider()
    const mode: Mode = {
      name: 'answer',
      decide: () => Promise.reject(new Error('a bug with Bearer sk-ant-0123456789')),
    }
    const { url, lines } = await gatewayWorld(upstream, { mode })
    expect((await call(url + path, { body })).status).toBe(200)
    expect(seen).toEqual([body])
    expect(lines).toEqual(['forwarded as it is: a bug with ***'])
  })

  it('when a mode fails after it has shown the client that its stream lives', async () => {
    const upstream = await upstreamServer((request, response) => {
      expect(request.headers['accept-encoding']).toBeUndefined()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\n\n')
    })
    const seen = Promise.withResolvers<void>()
    const mode: Mode = {
      name: 'answer',
      decide: async (exchange) => {
        exchange.keepAlive(': waiting\n\n')
        await seen.promise
        throw new Error('a bug')
      },
    }
    const { url } = await gatewayWorld(upstream, { mode, signMs: 1 })
    const response = await opened(url + path, { body, headers: { 'accept-encoding': 'gzip' } })
    seen.resolve()
    expect(String(await buffer(response))).toMatch(/^(?:: waiting\n\n)+data: 1\n\n$/)
  })

  it('when a mode takes too long', async () => {
    const { url: upstream, seen } = await provider()
    const mode: Mode = { name: 'answer', decide: () => new Promise(() => {}) }
    const { url, lines } = await gatewayWorld(upstream, { mode, patienceMs: 20 })
    expect((await call(url + path, { body })).status).toBe(200)
    expect(seen).toEqual([body])
    expect(lines).toEqual(['forwarded as it is: it took too long'])
  })
})

it('lets go of a request when it has ended, and does not hold it until its time is over', async () => {
  const { url: upstream } = await provider()
  let held: WeakRef<object> | undefined
  const mode: Mode = {
    name: 'rewrite',
    decide: async (exchange) => {
      held = new WeakRef(exchange)
      return { kind: 'forward', why: 'held', recorded: async () => void exchange.client }
    },
  }
  const { url } = await gatewayWorld(upstream, { mode })
  await call(url + path, { body })
  const isHeld = () => {
    liveHeap()
    return held?.deref() !== undefined
  }
  await expect.poll(isHeld).toBe(false)
})
