import { expect, it } from 'vitest'
import type { EntryDraft } from '../../../src/model/types.ts'
import { changing, compaction, everyDraft, mask } from './drafts.ts'
import { added, create, found, range, say, seqs, sessionOf, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The outcome of an append that was planned on a revision when the view has changed. */
export function revisionTests(start: Start): void {
  it.each(everyDraft)('$type counts as a change of the view, or does not', async (draft) => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [mask, draft, ...texts('two')])
    expect((await sessionOf(store, session)).revision).toBe(isChanging(draft) ? 3 : 2)
  })

  it('matches after messages, and the append passes', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const { revision } = await sessionOf(store, session)
    await say(store, session, 'two')
    expect(added(await store.append(session.id, [compaction()], { revision })).map((entry) => entry.seq)).toEqual([3])
    expect(added(await store.append(session.id, [mask], { revision: 3 })).map((entry) => entry.seq)).toEqual([4])
  })

  it('is superseded by a change, and nothing is appended', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [mask])
    const before = await sessionOf(store, session)
    for (const revision of [0, 1, 3]) {
      const answer = await store.append(session.id, [...texts('lost'), compaction()], { revision })
      expect(answer).toEqual({ ok: false, reason: 'superseded', revision: 2 })
    }
    expect(await sessionOf(store, session)).toEqual(before)
    expect(await seqs(store, session)).toEqual([1, 2])
    expect(await found(store, 'lost')).toEqual([])
  })

  it('lets one of many appends pass that were planned on the same', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const answers = await Promise.all(range(1, 10).map(() => store.append(session.id, [compaction()], { revision: 0 })))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.reason === 'superseded')).toHaveLength(9)
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('changes with a redaction', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.redact(session.id, [1])
    expect((await sessionOf(store, session)).revision).toBe(2)
    expect((await store.append(session.id, [mask], { revision: 0 })).ok).toBe(false)
  })
}

/** A pin changes the view only if it puts messages back. */
function isChanging(draft: EntryDraft): boolean {
  return changing.has(draft.type) || (draft.type === 'pin' && draft.back !== undefined)
}
