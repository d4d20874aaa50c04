import { expect, it } from 'vitest'
import type { EntryDraft, Seq } from '../../../src/model/types.ts'
import type { EntryQuery, Session, Store } from '../../../src/store/store.ts'
import { full } from '../../support/full.ts'
import { result } from '../../support/messages.ts'
import { everyDraft, mask } from './drafts.ts'
import { added, create, fork, range, read, say, seqs, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** Which entries a query reads. */
export function entryTests(start: Start): void {
  /** Seqs 1 to 8; 3, 4 and 7 are not messages. */
  async function mixed(store: Store): Promise<Session> {
    const session = await create(store)
    await store.append(session.id, [...texts('one', 'two'), mask, { type: 'todo', items: [] }])
    await store.append(session.id, [...texts('five', 'six'), { type: 'pin', target: 1, on: true }, ...texts('eight')])
    return session
  }

  const cases: readonly (readonly [EntryQuery, readonly Seq[]])[] = [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ from: 3 }, [3, 4, 5, 6, 7, 8]],
    [{ upTo: 3 }, [1, 2, 3]],
    [{ from: 3, upTo: 5 }, [3, 4, 5]],
    [{ from: 4, upTo: 4 }, [4]],
    [{ from: 5, upTo: 4 }, []],
    [{ from: 9 }, []],
    [{ upTo: 0 }, []],
    [{ from: 0, upTo: 99 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ seqs: [6, 2, 2, 4] }, [2, 4, 6]],
    [{ seqs: [0, 99] }, []],
    [{ seqs: [2, 2.5, Number.NaN, 1e20] }, [2]],
    [{ seqs: [] }, []],
    [{ seqs: range(1, 70_000) }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ seqs: [1, 2, 3, 8], from: 2, upTo: 7 }, [2, 3]],
    [{ only: 'messages' }, [1, 2, 5, 6, 8]],
    [{ only: 'changes' }, [3, 4, 7]],
    [{ only: 'changes', from: 4 }, [4, 7]],
    [{ only: 'messages', seqs: [1, 3, 5] }, [1, 5]],
    [{ limit: 3 }, [1, 2, 3]],
    [{ limit: 0 }, []],
    [{ limit: 99 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ limit: 3, order: 'oldest' }, [1, 2, 3]],
    [{ limit: 3, order: 'newest' }, [6, 7, 8]],
    [{ order: 'newest' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ limit: 2, order: 'newest', upTo: 5 }, [4, 5]],
    [{ limit: 2, order: 'newest', only: 'messages', upTo: 6 }, [5, 6]],
    [{ limit: 2, order: 'newest', only: 'changes' }, [4, 7]],
    [{ limit: 2, from: 4, only: 'messages' }, [5, 6]],
    [{ limit: 2, order: 'newest', seqs: [1, 2, 3] }, [2, 3]],
  ]

  it('are read by range, place, kind, order and limit, and come in the order of their seq', async () => {
    const { store } = await start()
    const session = await mixed(store)
    for (const [query, expected] of cases) {
      expect({ query: brief(query), seqs: await seqs(store, session, query) }).toEqual({
        query: brief(query),
        seqs: expected,
      })
    }
  })

  it('come without the summaries and facts of compactions when they are read light, and as they are otherwise', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, everyDraft)
    const expected = (await read(store, session)).map((entry) =>
      entry.type === 'compaction' ? { ...entry, summary: '', parts: undefined, indexDelta: {} } : entry,
    )
    expect(await read(store, session, { light: true })).toEqual(expected)
  })

  it('come with the raw output of commands only if the query asks for it', async () => {
    const { store } = await start()
    const session = await create(store)
    const draft = { type: 'message', message: result('c', 'shown'), raw: 'as it came' } as const
    const [appended] = added(await store.append(session.id, [draft]))
    expect(appended).toMatchObject(draft)
    const short = { ...appended, raw: undefined }
    for (const query of [{}, { seqs: [1] }, { only: 'messages' }, { light: true }] as const) {
      expect(await read(store, session, query)).toEqual([short])
      expect(await read(store, session, { ...query, raw: true })).toEqual([appended])
    }
  })

  it('are read the same from a fork, across the border of what it shares', async () => {
    const { store } = await start()
    const parent = await mixed(store)
    await say(store, parent, 'not for the fork')
    for (const border of full ? [0, 1, 4, 6, 8] : [0, 4, 8]) {
      const child = await fork(store, parent, border)
      const drafts = (await read(store, parent))
        .slice(border, 8)
        .map(({ id: _id, seq: _seq, at: _at, ...draft }) => draft)
      await store.append(child.id, drafts as EntryDraft[])
      for (const [query, expected] of cases) {
        expect({ border, query: brief(query), seqs: await seqs(store, child, query) }).toEqual({
          border,
          query: brief(query),
          seqs: expected,
        })
      }
    }
  })

  it('of a session that has none are none', async () => {
    const { store } = await start()
    const session = await create(store)
    for (const query of [{}, { from: 1 }, { seqs: [1] }, { only: 'messages', order: 'newest', limit: 5 }] as const) {
      expect(await store.entries(session.id, query)).toEqual({ entries: [], bad: [] })
    }
  })

  function brief(query: EntryQuery): EntryQuery {
    return query.seqs === undefined ? query : { ...query, seqs: query.seqs.slice(0, 9) }
  }
}
