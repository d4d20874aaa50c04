import { expect, it } from 'vitest'
import { create, range, say, within } from './helpers.ts'
import type { Start } from './world.ts'

/** The behaviour of a store that is closed. */
export function closeTests(start: Start): void {
  it('may be called again, also at the same time', async () => {
    const { store } = await start()
    await create(store)
    store.subscribe(() => {})
    await Promise.all([store.close(), store.close()])
    await store.close()
  })

  it('waits for the appends that are under way, or refuses them', async () => {
    const { store } = await start()
    const session = await create(store)
    const writes = Promise.allSettled(range(1, 10).map((i) => say(store, session, `${i}`)))
    await store.close()
    expect(await within(20_000, writes)).toHaveLength(10)
  })

  it('takes listeners after it, and does not call them', async () => {
    const { store } = await start()
    await store.close()
    store.subscribe(() => {
      throw new Error('called')
    })()
  })

  it('answers nothing more after it', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.close()
    await expect(say(store, session, 'late')).rejects.toThrow()
  })
}
