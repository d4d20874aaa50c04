import { expect, it } from 'vitest'
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
