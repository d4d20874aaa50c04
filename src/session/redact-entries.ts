import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { SessionId, Store } from '../store/store.ts'

/** The process stands still for the redactions of one call on SQLite. */
const AT_ONCE = 2_000

/** Redacts any number of entries, in calls between which others get their turn; answers with the redactions. */
export async function redactEntries(store: Store, id: SessionId, seqs: readonly Seq[]): Promise<readonly Entry[]> {
  const all = [...new Set(seqs)]
  const redactions: Entry[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    redactions.push(...(await store.redact(id, all.slice(at, at + AT_ONCE))))
  }
  return redactions
}
