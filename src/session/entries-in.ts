import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'

const PAGE = 250

/** All entries of a session, in pages. */
export async function* entriesIn(store: Store, id: SessionId): AsyncGenerator<Entry, void> {
  for (let from = 1; ; ) {
    const { entries, bad } = await store.entries(id, { from, limit: PAGE })
    yield* entries
    // Lets other requests run between the pages of a long log.
    await nextTurn()
    const last = Math.max(entries.at(-1)?.seq ?? 0, bad.at(-1)?.seq ?? 0)
    if (last === 0) return
    from = last + 1
  }
}

/** The whole log of a session. */
export async function wholeLog(store: Store, id: SessionId): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of entriesIn(store, id)) entries.push(entry)
  return entries
}
