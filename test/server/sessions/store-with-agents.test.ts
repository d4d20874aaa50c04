import { expect, it, onTestFinished } from 'vitest'
import { storeWithAgents } from '../../../src/server/sessions/agent-sessions.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'

async function stores() {
  const [own, mirrored] = await Promise.all([openStore(':memory:'), openStore(':memory:')])
  onTestFinished(async () => void (await Promise.all([own.close(), mirrored.close()])))
  const mine = await own.createSession({ owner: 'ann', workspace: '/repo' })
  const { id: theirs } = await mirrored.createSession({ owner: 'ann', workspace: '/theirs' })
  await mirrored.append(theirs, [{ type: 'message', message: user('theirs') }])
  const mirror: Store = {
    ...mirrored,
    session: () => mirrored.session(theirs),
    entries: () => mirrored.entries(theirs),
    search: (query) => mirrored.search({ ...query, session: theirs }),
  }
  const store = storeWithAgents(own, { storeOf: async () => mirror, subscribe: () => () => {} })
  return { store, mine: mine.id }
}

const AGENTS = 'agent:codex/1'

it('a session of another agent is refused every change, and its owner reads what can be done', async () => {
  const { store } = await stores()
  const changes = [
    store.createSession({ owner: 'ann', workspace: '/repo', parent: { id: AGENTS, seq: 1 } }),
    store.renameSession(AGENTS, 'x'),
    store.deleteSession(AGENTS),
    store.append(AGENTS, [{ type: 'message', message: user('x') }]),
    store.redact(AGENTS, [1]),
    store.markChain(AGENTS, [], 'test'),
    store.acquireLease(AGENTS, 'test', 1_000),
    store.releaseLease(AGENTS, 'a'),
    store.pauseAppends(AGENTS, 1_000),
    store.resumeAppends(AGENTS, 'a'),
  ]
  for (const result of await Promise.allSettled(changes)) {
    expect(result).toMatchObject({ reason: { code: 'not-allowed', message: expect.stringContaining('pith import') } })
  }
})

it('a session of another agent is read from its mirror, and our own from the store', async () => {
  const { store, mine } = await stores()
  await store.append(mine, [{ type: 'message', message: user('ours') }])
  expect((await store.session(AGENTS))?.workspace).toBe('/theirs')
  expect((await store.session(mine))?.workspace).toBe('/repo')
  expect((await store.entries(AGENTS)).entries).toMatchObject([{ message: user('theirs') }])
  expect((await store.entries(mine)).entries).toMatchObject([{ message: user('ours') }])
  expect((await store.search({ text: 'theirs', session: AGENTS })).hits).toHaveLength(1)
  expect((await store.search({ text: 'theirs' })).hits).toEqual([])
})

it('our own session is changed as ever', async () => {
  const { store, mine } = await stores()
  const lease = await store.acquireLease(mine, 'test', 60_000)
  expect(lease).toMatchObject({ ok: true })
  if (lease.ok) await store.releaseLease(mine, lease.token)
  expect(await store.acquireLease(mine, 'another', 60_000)).toMatchObject({ ok: true })
  const pause = await store.pauseAppends(mine, 60_000)
  await store.resumeAppends(mine, pause ?? '')
  expect(await store.append(mine, [{ type: 'message', message: user('x') }])).toMatchObject({ ok: true })
  await store.renameSession(mine, 'Mine')
  expect(await store.session(mine)).toMatchObject({ title: 'Mine' })
  await store.deleteSession(mine)
  expect(await store.session(mine)).toBeUndefined()
})
