import { callsOf, type Entry, type Message } from '../model/types.ts'
import { type BestLines, bestLines } from './best-lines.ts'
import { isLookUp, searchText } from './entry-doc.ts'
import type { IndexReader } from './index-reader.ts'
import { nearestWords } from './nearest-words.ts'
import { isBlank, type Query, readQuery } from './query.ts'
import { type Ranked, rank, type Scope } from './rank.ts'
import type { KnownWords } from './terms.ts'

/** An entry that a search found. */
export type FoundEntry = {
  readonly session: string
  readonly entry: Entry
  /** The lines around the match. */
  readonly lines: string
  /** Other entries of the same exchange that match, too. */
  readonly also: readonly number[]
  /** The messages right before and after it. An answer is often next to the words of its question. */
  readonly near: readonly number[]
}

export type Found = {
  readonly hits: readonly FoundEntry[]
  /** How many entries match. */
  readonly total: number
  /** How many entries were searched, without those that may have a phrase but were too many to read. */
  readonly searched: number
  /** If nothing was found: words that do occur, close to those of the query. */
  readonly nearest: readonly string[]
}

/** The place that is searched in. */
export type Searched = {
  readonly index: IndexReader
  readonly scope: Scope
  /** The entries of these hits, in any order. An entry that cannot be read is left out. */
  read(
    hits: readonly Pick<Ranked, 'session' | 'seq'>[],
  ): Promise<readonly { readonly session: string; readonly entry: Entry }[]>
}

export type Page = { readonly limit: number; readonly offset?: number }

/** How many of the best entries are read at least, to look at where the words are in them. */
const LOOKED_AT = 40
/** The most entries that are read for a phrase: the index knows words, only the text knows the order. */
const MOST_READ = 2_000
/** The most characters that are looked through, so that very long entries do not hold up the others. */
const MOST_CHARACTERS = 8_000_000

/** Searches an index: the best entries first, each exchange once. */
export async function findEntries(
  searched: Searched,
  typed: string,
  { limit, offset = 0 }: Page,
  least = LOOKED_AT,
): Promise<Found> {
  const query = readQuery(typed)
  const hasPhrase = query.phrases.length > 0
  const most = hasPhrase ? MOST_READ : Math.max(least, 2 * (offset + limit))
  const { best, total, searched: count, weights } = await rank(searched.index, query, searched.scope, most)
  if (isBlank(query)) return { hits: [], total: 0, searched: count, nearest: [] }
  const ranked = new Map(best.map((one, place) => [keyOf(one.session, one.seq), { score: one.score, place }]))
  const known: KnownWords = new Map()
  let [room, unread] = [MOST_CHARACTERS, total - best.length]
  const read = (await searched.read(best)).flatMap(({ session, entry }): Read[] => {
    const one = ranked.get(keyOf(session, entry.seq))
    const text = searchText(entry)
    room -= text.length
    if (room < 0) unread++
    if (one === undefined || room < 0 || !hasPhrases(text, query)) return []
    const lines = bestLines(text, weights, query.phrases, known)
    // The first ones are sorted again. All others stay where they are, so that one page follows the other.
    const score = one.place < LOOKED_AT ? one.score * closeness(lines) : 0
    return [{ session, entry, lines, score, place: one.place }]
  })
  const all = exchanges(read.sort((a, b) => b.score - a.score || a.place - b.place))
  // If many of the best are in the same exchanges, the hits of this page are further down.
  if (all.length < offset + limit && best.length < total && room >= 0 && !hasPhrase)
    return findEntries(searched, typed, { limit, offset }, 4 * most)
  return {
    hits: await withNeighbours(searched, all.slice(offset, offset + limit)),
    // Whether an entry has a phrase is known only after reading it.
    total: hasPhrase || unread === 0 ? read.length : total,
    searched: hasPhrase ? count - unread : count,
    nearest: read.length === 0 ? await nearestWords(searched, query) : [],
  }
}

/** The tool that an entry calls, or whose result it is. */
export function toolOf(message: Message): string | undefined {
  if (message.role !== 'tool') return callsOf(message)[0]?.toolName
  return message.content.find((part) => part.type === 'tool-result')?.toolName
}

function keyOf(session: string, seq: number): string {
  return `${seq} ${session}`
}

/** Words that are close together say more than the same words far apart. */
function closeness({ share }: BestLines): number {
  return 1 + 0.5 * share * share
}

/** Phrases are checked in the text itself: the index knows only their words. */
function hasPhrases(text: string, { phrases }: Query): boolean {
  if (phrases.length === 0) return true
  const folded = text.toLowerCase()
  return phrases.every((phrase) => folded.includes(phrase.toLowerCase()))
}

type Read = {
  readonly session: string
  readonly entry: Entry
  readonly lines: BestLines
  readonly score: number
  readonly place: number
}

/** A call, its result and the words around them are one exchange: the best of them is the hit. */
function exchanges(read: readonly Read[]): Exchange[] {
  const matching = new Set(read.map(({ session, entry }) => keyOf(session, entry.seq)))
  const hits: Exchange[] = []
  for (const { session, entry, lines } of read) {
    const near = hits.find((hit) => hit.session === session && isNear(hit, entry.seq, matching))
    if (near !== undefined) near.also.push(entry.seq)
    else hits.push({ session, entry, lines: lines.text, also: [] })
  }
  return hits
}

type Exchange = Omit<FoundEntry, 'also' | 'near'> & { readonly also: number[] }

async function withNeighbours(searched: Searched, hits: readonly Exchange[]): Promise<FoundEntry[]> {
  const asked = hits.flatMap(({ session, entry }) => [entry.seq - 1, entry.seq + 1].map((seq) => ({ session, seq })))
  const read = await searched.read(asked.filter(({ session, seq }) => seq <= searched.scope(session)))
  const messages = read.filter(({ entry }) => entry.type === 'message' && !isLookUp(entry))
  const there = new Set(messages.map(({ session, entry }) => keyOf(session, entry.seq)))
  return hits.map((hit) => {
    const around = [hit.entry.seq - 1, hit.entry.seq + 1]
    return { ...hit, near: around.filter((seq) => there.has(keyOf(hit.session, seq)) && !hit.also.includes(seq)) }
  })
}

const FARTHEST = 3

/** True when both are close, and everything between them matches, too. */
function isNear({ session, entry }: Exchange, seq: number, matching: ReadonlySet<string>): boolean {
  const [from, upTo] = [Math.min(entry.seq, seq), Math.max(entry.seq, seq)]
  if (upTo - from > FARTHEST) return false
  for (let between = from + 1; between < upTo; between++) if (!matching.has(keyOf(session, between))) return false
  return true
}
