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
