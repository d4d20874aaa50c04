import { expect, it, onTestFinished } from 'vitest'
import { pauseAppends } from '../../../src/session/compaction/next-try.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { user } from '../../support/messages.ts'

it('while others wait, one goes on writing, and they do when it is over', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const said = (text: string) => [{ type: 'message' as const, message: user(text) }]
  const paused = await pauseAppends(store, id)
  const second = await pauseAppends(store, id)
  const waiting = store.append(id, said('later'))
  await paused.store.append(id, said('first'))
  expect(second.store).toBe(store)
  await second.resume()
  expect((await store.entries(id)).entries).toMatchObject([{ message: user('first') }])
  await paused.resume()
  expect(await store.pauseAppends(id, 1_000)).toEqual(expect.any(String))
  await waiting
  expect((await store.entries(id)).entries).toMatchObject([{ message: user('first') }, { message: user('later') }])
})
