import { expect, it } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { create, range, say } from './helpers.ts'
import type { Start } from './world.ts'

/** The holder of a lease, and its duration. */
export function leaseTests(start: Start): void {
  it('a second holder gets the name of the first, and the time when the lease ends', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const lease = await store.acquireLease(session.id, 'first', 1_000)
    expect(lease).toEqual({ ok: true, token: expect.stringMatching(/./) })
    const refused = { ok: false, holder: 'first', expiresAt: clock.now + 1_000 }
    expect(await store.acquireLease(session.id, 'second', 5_000)).toEqual(refused)
    clock.now += 999
    expect(await store.acquireLease(session.id, 'second', 5_000)).toEqual(refused)
  })

  it('expires by the clock, and the next holder has it', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    clock.now += 1_001
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
    expect(await store.acquireLease(session.id, 'first', 1_000)).toMatchObject({ ok: false, holder: 'second' })
  })

  it('is free once it is released', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.releaseLease(session.id, token(await store.acquireLease(session.id, 'first', 1_000)))
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
  })

  it('is renewed by its holder', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    clock.now += 600
    const renewed = token(await store.acquireLease(session.id, 'first', 1_000))
    clock.now += 600
    expect(await store.acquireLease(session.id, 'second', 1_000)).toEqual({
      ok: false,
      holder: 'first',
      expiresAt: clock.now + 400,
    })
    await store.releaseLease(session.id, renewed)
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
  })

  it('is not released with the token of another', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const old = token(await store.acquireLease(session.id, 'first', 1_000))
    clock.now += 1_001
    await store.acquireLease(session.id, 'second', 1_000)
    await store.releaseLease(session.id, old)
    await store.releaseLease(session.id, 'made up')
    expect(await store.acquireLease(session.id, 'third', 1_000)).toMatchObject({ ok: false, holder: 'second' })
  })

  it('is read without taking it, so whatever asks for it meanwhile gets it', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    expect(await store.lease(session.id)).toBeUndefined()
    const asked = await Promise.all(
      range(1, 20).map(async () => {
        const [, lease] = await Promise.all([store.lease(session.id), store.acquireLease(session.id, 'one', 1_000)])
        return lease.ok
      }),
    )
    expect(asked).not.toContain(false)
    expect(await store.lease(session.id)).toEqual({ holder: 'one', expiresAt: clock.now + 1_000 })
    clock.now += 1_000
    expect(await store.lease(session.id)).toBeUndefined()
    await store.releaseLease(session.id, token(await store.acquireLease(session.id, 'two', 1_000)))
    expect(await store.lease(session.id)).toBeUndefined()
    expect(await store.lease('nobody')).toBeUndefined()
  })

  it('of one session does not count for another', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await store.acquireLease(a.id, 'first', 1_000)
    expect((await store.acquireLease(b.id, 'second', 1_000)).ok).toBe(true)
  })

  it('goes to one of many who ask at once', async () => {
    const { store } = await start()
    const session = await create(store)
    const leases = await Promise.all(range(1, 10).map((i) => store.acquireLease(session.id, `holder ${i}`, 1_000)))
    expect(leases.filter((lease) => lease.ok)).toHaveLength(1)
    expect(new Set(leases.flatMap((lease) => (lease.ok ? [] : [lease.holder]))).size).toBe(1)
  })

  it('is not a guard: a process without one may append', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    expect(await say(store, session, 'one')).toHaveLength(1)
  })

  it('a task is taken by one holder until its time is over, and renewed by that one', async () => {
    const { store, clock } = await start()
    const taken = await Promise.all(['a', 'b', 'c'].map((holder) => store.takeTask('retention', holder, 1_000)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const holder = ['a', 'b', 'c'][taken.indexOf(true)] ?? ''
    expect(await store.takeTask('other', 'd', 1_000)).toBe(true)
    clock.now += 999
    expect(await store.takeTask('retention', holder, 1_000)).toBe(true)
    clock.now += 999
    expect(await store.takeTask('retention', 'd', 1_000)).toBe(false)
    clock.now += 1
    expect(await store.takeTask('retention', 'd', 1_000)).toBe(true)
  })

  function token(lease: Awaited<ReturnType<Store['acquireLease']>>): string {
    if (!lease.ok) throw new Error('no lease')
    return lease.token
  }
}
