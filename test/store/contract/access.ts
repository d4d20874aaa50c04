import { expect, it } from 'vitest'
import { create } from './helpers.ts'
import type { Start } from './world.ts'

const hashOf = (letter: string) => letter.repeat(64)
const token = (name: string, hash = hashOf('a')) => ({ name, hash, body: `{"of":"${name}"}` })
const HOUR_MS = 3_600_000

/** The tokens of servers, the grants made from them, and their spending. */
export function accessTests(start: Start): void {
  it('are read again only when their version has changed', async () => {
    const { store } = await start()
    const empty = await store.access()
    expect(empty).toMatchObject({ tokens: [], grants: [] })
    expect(await store.access(empty?.version)).toBeUndefined()
    expect(await store.addToken(token('zoe'))).toBe(true)
    expect(await store.addToken(token('ann', hashOf('b')))).toBe(true)
    const full = await store.access(empty?.version)
    expect(full?.tokens).toEqual([token('zoe'), token('ann', hashOf('b'))])
    expect(await store.changeToken('ann', '{}')).toBe(true)
    expect((await store.access(full?.version))?.tokens[1]).toEqual({ ...token('ann', hashOf('b')), body: '{}' })
    expect(await store.changeToken('nobody', '{}')).toBe(false)
  })

  it('a name is used once at a time, and a removed token never comes back', async () => {
    const { store } = await start()
    expect(await store.addToken(token('ann'))).toBe(true)
    expect(await store.addToken(token('ann', hashOf('b')))).toBe(false)
    expect(await store.addToken(token('other'))).toBe(false)
    expect(await store.removeToken('ann')).toBe(true)
    expect(await store.removeToken('ann')).toBe(false)
    expect(await store.changeToken('ann', '{}')).toBe(false)
    expect(await store.addToken(token('ann'))).toBe(false)
    expect(await store.addToken(token('ann', hashOf('b')))).toBe(true)
    expect((await store.access())?.tokens).toEqual([token('ann', hashOf('b'))])
  })

  it('a grant ends with its token, its session, its time, or once; the others stay', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.addToken(token('ann'))
    await store.addToken(token('bob', hashOf('b')))
    const grant = (letter: string, of: string, more = {}) => ({
      hash: hashOf(letter),
      token: hashOf(of),
      kind: 'link',
      session: undefined,
      expiresAt: clock.now + HOUR_MS,
      ...more,
    })
    const kept = grant('5', 'b', { kind: 'login' })
    const shared = grant('2', 'b', { kind: 'share', session: session.id })
    for (const one of [grant('1', 'a'), shared, grant('3', 'b', { expiresAt: clock.now + 1 }), grant('4', 'b')])
      expect(await store.addGrant(one)).toBe(true)
    expect(await store.addGrant(grant('6', 'c'))).toBe(false)
    expect((await store.access())?.grants.find(({ hash }) => hash === hashOf('2'))).toEqual(shared)
    const takes = await Promise.all([store.removeGrant(hashOf('4')), store.removeGrant(hashOf('4'))])
    expect(takes.toSorted()).toEqual([false, true])
    await store.removeToken('ann')
    await store.deleteSession(session.id)
    clock.now += 1
    expect(await store.addGrant(kept)).toBe(true)
    expect((await store.access())?.grants).toEqual([kept])
    expect(await store.addGrant(grant('7', 'a'))).toBe(false)
  })

  it('spending is summed by token and day', async () => {
    const { store } = await start()
    const spent = { token: hashOf('a'), day: '2026-11-18', cost: 0.25, tokens: 1_000 }
    await Promise.all([store.addSpending(spent), store.addSpending(spent)])
    expect(await store.addSpending({ ...spent, cost: 0, tokens: 2 ** 33 })).toEqual({
      ...spent,
      cost: 0.5,
      tokens: 2 ** 33 + 2_000,
    })
    await store.addSpending({ ...spent, day: '2026-11-19' })
    await store.addSpending({ ...spent, token: hashOf('b') })
    expect(await store.spending('2026-11-18')).toEqual([
      { ...spent, cost: 0.5, tokens: 2 ** 33 + 2_000 },
      { ...spent, token: hashOf('b') },
    ])
    expect(await store.spending('2026-11-20')).toEqual([])
  })
}
