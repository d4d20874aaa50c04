import { factsIn } from '../engine/facts/index-delta.ts'
import { storedDelta } from '../engine/facts/stored-delta.ts'
import { REDACTED } from '../engine/view/rewrite-message.ts'
import { viewOf } from '../engine/view/view-of.ts'
import type { Entry, EntryOf } from '../model/entry.ts'
import type { SessionId, Store } from '../store/store.ts'

/**
 * Version 0.1 stored only files with a compaction of the preset `kit`. The other facts of such a compaction are found again
 * in the messages that it replaced: else the next record would call a later request the first one.
 */
export async function withFactsFromLog(
  store: Store,
  id: SessionId,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  if (!entries.some(lacksFacts)) return entries
  let from = 0
  const whole: Entry[] = []
  for (const entry of entries) {
    const isFirst = from === 0
    whole.push(lacksFacts(entry) ? { ...entry, indexDelta: await factsOf(store, id, entry, { from, isFirst }) } : entry)
    if (entry.type === 'compaction') from = Math.max(from, entry.upTo + 1)
  }
  return whole
}

function lacksFacts(entry: Entry): entry is EntryOf<'compaction'> {
  if (entry.type !== 'compaction' || entry.frame !== 'kit' || entry.indexFacts !== undefined) return false
  // Of a compaction that was redacted itself nothing may come back: its facts are gone with its words.
  if (entry.summary === REDACTED || entry.indexDelta.files === undefined) return false
  // A redaction in its span leaves empty lists of the other kinds.
  return Object.entries(entry.indexDelta).every(
    ([kind, facts]) => kind === 'files' || (Array.isArray(facts) && facts.length === 0),
  )
}

async function factsOf(
  store: Store,
  id: SessionId,
  { upTo, keep, userTokens, indexDelta: { files } }: EntryOf<'compaction'>,
  { from, isFirst }: { readonly from: number; readonly isFirst: boolean },
): Promise<EntryOf<'compaction'>['indexDelta']> {
  const { entries } = await store.entries(id, { from, upTo, only: 'messages' })
  const replaced = viewOf(entries.filter(({ seq }) => !keep.includes(seq))).items.slice()
  return { ...storedDelta(factsIn(replaced), isFirst, userTokens * 8), files }
}
