import { REDACTED } from '../engine/context/view/rewrite-message.ts'
import { viewOf } from '../engine/context/view/view-of.ts'
import { factsIn } from '../engine/extract/index-delta.ts'
import { storedDelta, withCheckedWords } from '../engine/extract/stored-delta.ts'
import type { Entry, EntryOf } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'

/**
 * Compactions of earlier versions with the facts that this version would store. Version 0.1 stored only files with a compaction of
 * the preset `kit`. The other facts are found again in the messages that it replaced: otherwise the next record would call a later
 * request the first one. Version 0.2 could take a tool's words for the user's: they are checked against the log.
 */
export async function withFactsFromLog(
  store: Store,
  id: SessionId,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  let from = 0
  const whole: Entry[] = []
  for (const entry of entries) {
    whole.push(entry.type === 'compaction' ? await ofThisVersion(store, id, entry, from) : entry)
    if (entry.type === 'compaction') from = Math.max(from, entry.upTo + 1)
  }
  return whole
}

async function ofThisVersion(
  store: Store,
  id: SessionId,
  entry: EntryOf<'compaction'>,
  from: number,
): Promise<EntryOf<'compaction'>> {
  const isFirst = from === 0
  if (lacksFacts(entry)) return { ...entry, indexDelta: await factsOf(store, id, entry, { from, isFirst }) }
  if (!mayMisquote(entry)) return entry
  const items = viewOf(await quotedMessages(store, id, entry, from)).items.slice()
  const { redactSecrets } = await import('../secrets/redact-secrets.ts')
  return withCheckedWords(entry, items, { isFirst, redact: (text) => redactSecrets(text).text })
}

/** The messages of its own span, and those of earlier spans that it quotes: an earlier compaction had kept them. */
async function quotedMessages(
  store: Store,
  id: SessionId,
  { upTo, indexDelta: { users = [] } }: EntryOf<'compaction'>,
  from: number,
): Promise<readonly Entry[]> {
  const { entries } = await store.entries(id, { from, upTo, only: 'messages' })
  const earlier = users.flatMap(({ seq }) => (seq < from ? [seq] : []))
  if (earlier.length === 0) return entries
  return [...(await store.entries(id, { seqs: earlier, only: 'messages' })).entries, ...entries]
}

function mayMisquote({ factRules, indexDelta }: EntryOf<'compaction'>): boolean {
  return factRules === undefined && (indexDelta.users ?? []).length > 0
}

function lacksFacts(entry: EntryOf<'compaction'>): boolean {
  if (entry.frame !== 'kit' || entry.indexFacts !== undefined) return false
  // The facts of a compaction that was itself redacted must stay gone.
  if (entry.summary === REDACTED || entry.indexDelta.files === undefined) return false
  // After a redaction in its span the other kinds of facts are empty lists.
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
