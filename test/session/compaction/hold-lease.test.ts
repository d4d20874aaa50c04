import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdForTurn, holdLease } from '../../../src/session/compaction/hold-lease.ts'
import type { Store } from '../../../src/store/store.ts'
import { temporaryStore } from '../../support/store.ts'

const TTL_MS = 3_000

describe('a lease that is held', () => {
  let store: Store
  let other: Store
  let id: string
  let remove: () => Promise<void>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const made = await temporaryStore({ ids: () => crypto.randomUUID(), clock: () => Date.now() })
    store = made.store
    other = await made.reopen()
    remove = made.remove
    id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
  })
  afterEach(async () => {
    vi.useRealTimers()
    await remove()
  })

  const held = async (lease: Awaited<ReturnType<typeof holdLease>>) => {
    if (!lease.ok) throw new Error(`held by ${lease.holder}`)
    return lease.release
  }

  it('stays held for as long as the work takes, and is free after it', async () => {
    const release = await held(await holdLease(store, id, 'here', TTL_MS))
    await vi.advanceTimersByTimeAsync(10 * TTL_MS)
    expect((await other.lease(id))?.holder).toBe('here')
    expect(await holdLease(other, id, 'there', TTL_MS)).toMatchObject({ ok: false, holder: 'here' })
    await release()
    expect(await other.lease(id)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(10 * TTL_MS)
    expect(await other.lease(id)).toBeUndefined()
  })

  it('for a compaction that says nothing else is free five minutes after its process stopped renewing it', async () => {
    await held(await holdLease(store, id, 'here'))
    vi.clearAllTimers()
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
    expect((await other.lease(id))?.holder).toBe('here')
    await vi.advanceTimersByTimeAsync(1)
    expect(await other.lease(id)).toBeUndefined()
  })

  it('is refused to a second work of the same process and name', async () => {
    const release = await held(await holdLease(store, id, 'here', TTL_MS))
    expect(await holdLease(store, id, 'here', TTL_MS)).toMatchObject({ ok: false, holder: 'here' })
    expect(await holdForTurn(store, id, 'here', TTL_MS)).toMatchObject({ ok: false, holder: 'here' })
    await release()
    expect((await holdLease(store, id, 'here', TTL_MS)).ok).toBe(true)
  })

  it('of a turn serves the work in it, and outlives it', async () => {
    const release = await held(await holdForTurn(store, id, 'turn', TTL_MS))
    await (await held(await holdLease(store, id, 'turn', TTL_MS)))()
    expect((await other.lease(id))?.holder).toBe('turn')
    expect(await holdLease(store, id, 'another', TTL_MS)).toMatchObject({ ok: false, holder: 'turn' })
    await release()
    expect(await other.lease(id)).toBeUndefined()
  })

  it('that another process refused can be taken when it is free again', async () => {
    const release = await held(await holdLease(other, id, 'there', TTL_MS))
    expect(await holdLease(store, id, 'here', TTL_MS)).toMatchObject({ ok: false, holder: 'there' })
    await release()
    expect((await holdLease(store, id, 'here', TTL_MS)).ok).toBe(true)
  })

  it('of a process that died is taken over', async () => {
    const dead = `${hostname()}:${spawnSync(process.execPath, ['-e', '0']).pid}`
    expect(await other.acquireLease(id, dead, 60 * TTL_MS)).toMatchObject({ ok: true })
    expect((await holdLease(store, id, 'here', TTL_MS)).ok).toBe(true)
  })

  it('of any length is renewed in time, not without end', async () => {
    let asked = 0
    const counting: Store = new Proxy(store, {
      get: (target, name) => {
        if (name === 'acquireLease') asked++
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const release = await held(await holdLease(counting, id, 'here', Number.MAX_SAFE_INTEGER))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(1)
    await release()
  })
})
