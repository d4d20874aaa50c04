import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AccessBook, openAccess } from '../../../src/server/access/access-book.ts'
import { callerWithLogin, callerWithSecret } from '../../../src/server/access/known-caller.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'

/** The books of two processes on one database, and how often each asked for its rows. */
async function books(clock?: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-access-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let queries = 0
  const open = async () => {
    const store = await openStore(join(folder, 'pith.db'))
    onTestFinished(() => store.close())
    const watched: Store = {
      ...store,
      access: (known) => {
        queries++
        return store.access(known)
      },
    }
    return AccessBook.open(watched, clock)
  }
  return { one: await open(), two: await open(), folder, queries: () => queries }
}

describe('the tokens of a database', () => {
  it('begin with one for the owner of the machine, who administers; only one, if two processes start at once', async () => {
    const { folder } = await books()
    const stores = await Promise.all([1, 2].map(() => openStore(join(folder, 'pith.db'))))
    onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
    const opened = await Promise.all(stores.map((store) => openAccess(store, folder)))
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(opened[0]?.tokens).toEqual([{ name: 'local', access: 'write', admin: true, hash }])
    expect(opened[1]?.tokens).toEqual(opened[0]?.tokens)
  })

  it('need no query for a known secret, and one before an unknown one is refused', async () => {
    const { one, two, queries } = await books()
    const { secret } = await one.add({ name: 'ann', access: 'read' })
    expect(await callerWithSecret(two, secret)).toMatchObject({ name: 'ann', owner: 'ann', isAdmin: false })
    const asked = queries()
    for (let i = 0; i < 5; i++) expect((await callerWithSecret(two, secret))?.isKnown()).toBe(true)
    expect(queries()).toBe(asked)
    expect(await callerWithSecret(two, 'nobody')).toBeUndefined()
    expect(queries()).toBe(asked + 1)
  })

  it('are refused by another process soon after they were removed, with all that was made from them', async () => {
    const { one, two } = await books()
    const { secret, hash } = await one.add({ name: 'ann', access: 'write' })
    const login = await one.makeGrant({ kind: 'login', token: hash })
    const share = await one.makeGrant({ kind: 'share', token: hash, session: 's' })
    const callers = [
      await callerWithSecret(two, secret),
      await callerWithSecret(two, share?.secret ?? ''),
      await callerWithLogin(two, login?.secret ?? ''),
    ]
    expect(callers.map((caller) => caller?.isKnown())).toEqual([true, true, true])
    two.watch()
    onTestFinished(() => two.close())
    expect(await one.remove('ann')).toBe(true)
    await expect
      .poll(() => callers.map((caller) => caller?.isKnown()), { timeout: 10_000 })
      .toEqual([false, false, false])
    expect(await two.makeGrant({ kind: 'login', token: hash })).toBeUndefined()
    expect(await one.remove('ann')).toBe(false)
    await expect(one.add({ name: 'a b', access: 'read' })).rejects.toThrow('is not a name')
  })

  it('end at their time, and so do grants', async () => {
    let now = Date.parse('2026-11-16T12:00:00.000Z')
    const { one } = await books(() => now)
    const { secret, hash } = await one.add({ name: 'a', access: 'read', expires: '2026-11-16T12:10:00.000Z' })
    const link = await one.makeGrant({ kind: 'link', token: hash, forMs: 60_000 })
    const share = await one.makeGrant({ kind: 'share', token: hash, session: 's' })
    expect(one.shares('s')).toMatchObject([{ id: share?.id, token: hash, expires: '2026-11-23T12:00:00.000Z' }])
    now += 60_000
    expect(await one.takeGrant('link', link?.secret ?? '')).toBeUndefined()
    expect(one.grant('share', share?.secret ?? '')).toMatchObject({ session: 's' })
    now += 9 * 60_000
    expect(one.token(secret)).toBeUndefined()
    expect(one.grant('share', share?.secret ?? '')).toBeUndefined()
    expect(one.tokens).toHaveLength(1)
  })

  it('have each name once at a time, and their rights can be changed', async () => {
    const { one, two } = await books()
    const { secret } = await one.add({ name: 'ann', access: 'read' })
    await expect(two.add({ name: 'ann', access: 'read' })).rejects.toThrow('there is a token ann already')
    const budget = { dollarsPerDay: 1 }
    expect(await two.change('ann', { access: 'write', budget })).toMatchObject({ access: 'write', budget })
    await one.refresh()
    expect(one.token(secret)).toMatchObject({ access: 'write', budget })
    expect(await two.change('ann', { budget: undefined })).not.toHaveProperty('budget.dollarsPerDay')
    expect(await two.change('bob', {})).toBeUndefined()
    await expect(two.change('ann', { access: 'read', admin: true })).rejects.toThrow('can write, too')
  })
})
