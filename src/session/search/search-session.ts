import { PithError } from '../../model/problems/errors.ts'
import { callsOf, type Entry, type Message, type Seq } from '../../model/types.ts'
import type { Hit, SessionId, Store } from '../../store/store.ts'

/** Searches all entries of a session, including masked and compacted ones. Any text is safe. */
export function searchSession(store: Store, id: SessionId, text: string, limit?: number): Promise<readonly Hit[]> {
  return store.search({ text, session: id, limit })
}

/**
 * The same for a model, without its own earlier searches: a search contains the words that it looks for, so it would be found
 * instead of the conversation.
 */
export async function searchSaid(store: Store, id: SessionId, text: string): Promise<readonly Hit[]> {
  const hits = await searchSession(store, id, text, MOST_SEARCHED)
  const { entries } = await store.entries(id, { seqs: hits.map(({ seq }) => seq), only: 'messages' })
  const lookUps = new Set(entries.flatMap((entry) => (isLookUp(entry) ? [entry.seq] : [])))
  return hits.filter(({ seq }) => !lookUps.has(seq)).slice(0, MOST_HITS)
}

const MOST_SEARCHED = 500
const MOST_HITS = 20

/** Entries verbatim, by handles (`#12`, `12`) or a range (`#12-#20`). Unknown ones are left out. */
export async function recall(store: Store, id: SessionId, what: string | readonly Seq[]): Promise<readonly Entry[]> {
  const { entries } = await store.entries(id, typeof what === 'string' ? handleQuery(what) : { seqs: what })
  return entries
}

/** The entries that handles name: single ones, or a range. */
export function handleQuery(what: string): { seqs: Seq[] } | { from: Seq; upTo: Seq } {
  const range = /^\s*#?(\d+)\s*(?:-|–|\.\.)\s*#?(\d+)\s*$/.exec(what)
  if (range !== null) return { from: Number(range[1]), upTo: Number(range[2]) }
  const seqs = what.split(/[\s,]+/).filter((word) => word !== '')
  const bad = seqs.find((word) => !/^#?\d+$/.test(word))
  if (bad !== undefined || seqs.length === 0) {
    throw new PithError('bad-argument', `\`${bad ?? what}\` is not a handle: write #12, or #12-#20 for a range`)
  }
  return { seqs: seqs.map((word) => Number(word.replace('#', ''))) }
}

/** True for a model's call of `recall` in any agent, and for its result. */
export function isLookUp(entry: Entry): boolean {
  if (entry.type !== 'message') return false
  const tools = toolsIn(entry.message)
  return tools.length > 0 && tools.every((name) => /(?:^|_)recall$/.test(name))
}

function toolsIn(message: Message): string[] {
  if (message.role !== 'tool') return callsOf(message).map(({ toolName }) => toolName)
  return message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []))
}
