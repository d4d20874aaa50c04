import { expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { mask } from './drafts.ts'
import { added, contents, create, fork, range, read, say, seqs, sessionOf, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The entries that the guard of an append sees, and the effect of its answer. */
export function guardTests(start: Start): void {
  it('sees exactly the entries after its seq, in order', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one', 'two', 'three', 'four')
    const stored = await read(store, session)
    for (const since of [0, 2, 3, 4]) {
      const seen: (readonly Entry[])[] = []
      const check = (later: readonly Entry[]) => {
        seen.push(later)
        return 'only looking'
      }
      await store.append(session.id, texts('lost'), { guard: { since, check } })
      expect(seen).toEqual([stored.slice(since)])
    }
  })

  it('refuses the append with its reason, and nothing is appended', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const guard = { since: 0, check: () => 'the tail has grown' }
    expect(await store.append(session.id, texts('lost', 'too'), { guard, revision: 0 })).toEqual({
      ok: false,
      reason: 'refused',
      why: 'the tail has grown',
    })
    expect(await contents(store, session)).toEqual(['one'])
    expect((await sessionOf(store, session)).lastSeq).toBe(1)
  })

  it('is not asked if the view has changed since the plan: the append is superseded', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [mask])
    let asked = 0
    const check = () => {
      asked += 1
      return 'the tail has grown'
    }
    const answer = await store.append(session.id, texts('lost'), { guard: { since: 0, check }, revision: 0 })
    expect(answer).toEqual({ ok: false, reason: 'superseded', revision: 2 })
    expect(asked).toBe(0)
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('that has no answer lets the append pass', async () => {
    const { store } = await start()
    const session = await create(store)
    const guard = { since: 0, check: () => undefined }
    expect(added(await store.append(session.id, texts('one'), { guard }))).toHaveLength(1)
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('that throws appends nothing, and the store continues to work', async () => {
    const { store } = await start()
    const session = await create(store)
    const check = () => {
      throw new Error('broken guard')
    }
    await expect(store.append(session.id, texts('lost'), { guard: { since: 0, check } })).rejects.toThrow(
      'broken guard',
    )
    await say(store, session, 'one')
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('is asked inside the transaction: of many that want to be the first, one is', async () => {
    const { store } = await start()
    const session = await create(store)
    const check = (later: readonly Entry[]) => (later.length === 0 ? undefined : 'not the first')
    const answers = await Promise.all(
      range(1, 10).map((i) => store.append(session.id, texts(`${i}`), { guard: { since: 0, check } })),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(await seqs(store, session)).toEqual([1])
  })

  it('of a fork sees the shared entries too', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two', 'three')
    const child = await fork(store, parent, 2)
    await say(store, child, 'own')
    let seen: readonly Entry[] = []
    const check = (later: readonly Entry[]) => {
      seen = later
      return undefined
    }
    await store.append(child.id, texts('more'), { guard: { since: 1, check } })
    expect(seen).toEqual(await read(store, child, { from: 2, upTo: 3 }))
    expect(seen).toHaveLength(2)
  })
}
