import type { Entry, Seq } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'

/** How many entries one call redacts. SQLite blocks the process during a call. */
const AT_ONCE = 2_000

/** Redacts any number of entries in several calls, so that other work can run between them. Returns the redactions. */
export async function redactEntries(store: Store, id: SessionId, seqs: readonly Seq[]): Promise<readonly Entry[]> {
  const all = [...new Set(seqs)]
  const redactions: Entry[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    redactions.push(...(await store.redact(id, all.slice(at, at + AT_ONCE))))
  }
  return redactions
}
