import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type PithClient, PithHttpError, pithClient } from '../../src/client/index.ts'
import { OPERATIONS } from '../../src/client/operations.ts'
import { ROUTES } from '../../src/contract/document.ts'
import { clientProgram } from '../package/client-program.ts'
import { listening } from '../server/support/listening.ts'
import { type ServerWorld, serverWorld, TOKENS } from '../server/support/world.ts'

const token = TOKENS[0].token
const clientOf = ({ app }: ServerWorld, options: { token?: string; url?: string } = {}): PithClient =>
  pithClient({ url: 'http://localhost', token, fetch: async (url, init) => app.request(url, init), ...options })
const said = (content: string) => ({ messages: [{ message: { role: 'user' as const, content } }] })

describe('the client for TypeScript', () => {
  it('has a method for every route of the contract', async () => {
    const called = new Set(Object.values(OPERATIONS).map(({ method, path }) => `${method} ${path}`))
    expect([...called].toSorted()).toEqual(
      ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    )
    const client = clientOf(await serverWorld())
    expect(Object.keys(client)).toEqual(Object.keys(OPERATIONS))
  })

  it('sends path, query, body and key, and gives what the server answers', async () => {
    const pith = clientOf(await serverWorld(), { url: 'http://localhost/' })
    const made = await pith.createSession({ body: { title: 'One' }, idempotencyKey: 'k' })
    expect((await pith.createSession({ body: { title: 'One' }, idempotencyKey: 'k' })).id).toBe(made.id)
    const { id } = made
    await pith.appendMessages({ id, body: said('The printer is on fire.') })
    const { hits } = await pith.searchSessions({ query: { q: 'printer', limit: 5 } })
    expect(hits).toMatchObject([{ session_id: id, title: 'One' }])
    expect((await pith.getOverview()).total).toBe(1)
    expect(await pith.exportSession({ id })).toContain('The printer is on fire.')
    expect(await pith.metrics()).toContain('pith_')
    expect((await pith.importSession({ body: await pith.exportSession({ id }) })).entries).toBeGreaterThan(0)
    expect(await pith.deleteSession({ id })).toMatchObject({ kept_for_forks: 0 })
  })

  it('throws what the server refuses, with its code, and what a proxy says', async () => {
    const world = await serverWorld()
    const refused = clientOf(world, { token: 'nobody' }).listSessions()
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'no-token', name: 'PithHttpError' })
    const unknown = clientOf(world).getSession({ id: 'a/b?c' })
    await expect(unknown).rejects.toThrow('there is no session a/b?c')
    await expect(unknown).rejects.toMatchObject({ requestId: expect.stringMatching(/./) })
    const proxy = pithClient({
      url: 'http://x',
      fetch: async (_, init) => {
        expect(new Headers(init?.headers).has('authorization')).toBe(false)
        return new Response('<h1>Bad gateway</h1>', { status: 502 })
      },
    })
    await expect(proxy.health()).rejects.toMatchObject({ status: 502, code: 'no-pith-server' })
    await expect(proxy.health()).rejects.toThrow('the server answered 502')
    expect(await proxy.health().catch((error: unknown) => error instanceof PithHttpError)).toBe(true)
  })

  it('gives the events of a session, of all sessions and of a turn, typed by their names', async () => {
    const pith = clientOf(await serverWorld({ brain: () => ({ text: 'Water it.' }) }))
    const { id } = await pith.createSession({ body: {} })
    const seen: string[] = []
    for await (const event of pith.postTurnEvents({ id, body: { text: 'The plant is dry.' } })) {
      if (event.event === 'text') seen.push(event.data.text)
      if (event.event === 'turn.ended') seen.push(event.data.end.reason)
    }
    expect([seen.slice(0, -1).join(''), seen.at(-1)]).toEqual(['Water it.', 'done'])
    const seqs: number[] = []
    for await (const event of pith.sessionEvents({ id, query: { after: 0 } })) {
      if (event.event === 'entry') seqs.push(event.data.seq)
      if (seqs.length === 2) break
    }
    expect(seqs).toEqual([1, 2])
    const stop = new AbortController()
    const all = pith.allEvents({}, { signal: stop.signal })
    const changed: unknown[] = []
    for await (const event of all) {
      if (event.event === 'ready') await pith.appendMessages({ id, body: said('Thanks.') })
      if (event.event !== 'session.changed') continue
      changed.push(event.data.type)
      stop.abort()
    }
    expect(changed).toEqual(['message'])
  })

  it('does what its page of the docs shows', async () => {
    const { url } = await listening()
    const source = new URL('../../src/client/index.ts', import.meta.url).href
    const folder = mkdtempSync(join(tmpdir(), 'pith-client-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'program.ts')
    writeFileSync(file, clientProgram({ url, token }).replace('pith/client', source))
    const { said: shown } = await import(pathToFileURL(file).href)
    expect(shown).toEqual([expect.any(Number), 'settings', 404, 'unknown-session'])
  })
})
