import { expect, it } from 'vitest'
import { user } from '../../support/messages.ts'
import { contents, create, fork, said, say } from './helpers.ts'
import type { Start } from './world.ts'

/** The appends that wait for a pause, and the time that they wait. */
export function pauseTests(start: Start): void {
  it('lets the appends of others wait until it is over, while those with its token continue', async () => {
    const { store } = await start()
    const session = await create(store)
    const token = await store.pauseAppends(session.id, 5_000)
    const others = [
      store.append(session.id, [said(user('plain'))]),
      store.append(session.id, [said(user('guarded'))], { guard: { since: 0, check: () => undefined } }),
    ]
    expect(await store.append(session.id, [said(user('mine'))], { pause: token })).toMatchObject({ ok: true })
    expect(await contents(store, session)).toEqual(['mine'])
    await store.resumeAppends(session.id, token ?? '')
    for (const done of await Promise.all(others)) expect(done).toMatchObject({ ok: true })
    expect((await contents(store, session)).toSorted()).toEqual(['guarded', 'mine', 'plain'])
  })

  it('ends by itself: a process that died delays others no longer', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.pauseAppends(session.id, 50)
    // The clock does not move, as that of another machine may.
    await say(store, session, 'later')
    expect(await store.pauseAppends(session.id, 50)).toBeUndefined()
    clock.now += 51
    expect(await store.pauseAppends(session.id, 50)).toMatch(/./)
  })

  it('is of one session, and leaves the others alone, its forks too', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const token = await store.pauseAppends(session.id, 5_000)
    const child = await fork(store, session, 1)
    await say(store, child, 'two')
    await store.resumeAppends(session.id, 'another token')
    expect(await store.pauseAppends(session.id, 5_000)).toBeUndefined()
    await store.resumeAppends(session.id, token ?? '')
    await say(store, session, 'three')
    await expect(store.pauseAppends('nobody', 10)).rejects.toMatchObject({ code: 'unknown-session' })
    await store.pauseAppends(session.id, 5_000)
    await store.deleteSession(session.id)
  })
}
