import { expect, it, onTestFinished, vi } from 'vitest'
import { PithError } from '../../../../src/model/problems/errors.ts'
import { StoreReadiness } from '../../../../src/server/observe/store-readiness.ts'
import type { SessionPage } from '../../../../src/store/store.ts'
import { serverWorld } from '../../support/world.ts'

it('a server whose store is closed is not ready', async () => {
  const { ask, store } = await serverWorld()
  expect((await ask('GET', '/ready')).body).toEqual({ status: 'ready' })
  await store.close()
  expect(await ask('GET', '/ready')).toMatchObject({
    status: 503,
    body: { error: { code: 'no-store', message: 'the store cannot be reached' } },
  })
})

it('a store without space for a write is not ready, and says why', async () => {
  const full = new PithError('store-full', '/home/me/pith.db')
  const readiness = new StoreReadiness({
    sessions: async () => ({ sessions: [] }),
    checkSpace: () => Promise.reject(full),
  })
  await expect(readiness.run()).rejects.toBe(full)
})

it('a store that hangs is not ready after some seconds, and is asked once however many want to know', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: PromiseWithResolvers<SessionPage>[] = []
  const readiness = new StoreReadiness({
    sessions: () => {
      const answer = Promise.withResolvers<SessionPage>()
      asked.push(answer)
      return answer.promise
    },
  })
  const all = Promise.allSettled([readiness.run(), readiness.run()])
  await vi.advanceTimersByTimeAsync(3_000)
  const why = { reason: { status: 503, code: 'no-store', message: 'the store has not answered for 3 seconds' } }
  expect(await all).toMatchObject([why, why])
  expect(asked).toHaveLength(1)
  asked[0]?.resolve({ sessions: [] })
  await readiness.run()
  expect(asked).toHaveLength(1)
})

it.each(['leave', 'stop'] as const)(
  'a server that is asked to %s says so to clients that send it work, and lives on',
  async (how) => {
    const world = await serverWorld({ noModel: true })
    await world[how]()
    expect(await world.ask('GET', '/ready')).toMatchObject({
      status: 503,
      body: { error: { code: 'stopping', message: 'the server is stopping' } },
    })
    expect((await world.ask('GET', '/health')).status).toBe(200)
  },
)
