import { expect, it } from 'vitest'
import type { StoredSummary } from '../../../src/store/store.ts'
import { compaction } from './drafts.ts'
import { create, fork, say } from './helpers.ts'
import type { Start } from './world.ts'

/** The summaries that are kept beside the log. */
export function summaryTests(start: Start): void {
  const kept: StoredSummary = { seq: 2, body: '{"text":"\\u0000"}', facts: '{}' }

  it('gives back what was kept for the view', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    await store.keepSummaries(session.id, 2, [kept])
    expect(await store.summaries(session.id, 2)).toEqual([kept])
    await store.keepSummaries(session.id, 2, [{ ...kept, facts: '[]' }])
    expect(await store.summaries(session.id, 2)).toEqual([{ ...kept, facts: '[]' }])
  })

  it('keeps and gives nothing for a view that has changed', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    await store.keepSummaries(session.id, 1, [kept])
    for (const revision of [1, 2]) expect(await store.summaries(session.id, revision)).toEqual([])
    await store.keepSummaries(session.id, 2, [kept])
    await say(store, session, 'two')
    expect(await store.summaries(session.id, 2)).toEqual([kept])
    expect(await store.summaries(session.id, 4)).toEqual([])
  })

  it('forgets a summary when an entry that it covers is redacted, in forks too, and when the session is deleted', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    const child = await fork(store, session, 2)
    await store.keepSummaries(session.id, 2, [kept])
    await store.keepSummaries(child.id, 2, [kept])
    await store.redact(child.id, [1])
    expect([await store.summaries(session.id, 2), await store.summaries(child.id, 2)]).toEqual([[], []])
    await store.keepSummaries(session.id, 3, [kept])
    await store.deleteSession(session.id)
    expect(await store.summaries(session.id, 3)).toEqual([])
  })
}
