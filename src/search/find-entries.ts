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
  const enough = Math.max(least, 2 * (offset + limit))
  const most = hasPhrase ? Math.max(MOST_READ, enough) : enough
  const { best, total, searched: count, weights } = await rank(searched.index, query, searched.scope, most)
  if (isBlank(query)) return { hits: [], total: 0, searched: count, nearest: [] }
  // If every entry that may match can be read, the total is exact. Otherwise a few hits are enough.
  const { read, looked, hasRoom } = await readMatching(
    searched,
    query,
    best,
    total > best.length ? enough : best.length,
  )
  const known: KnownWords = new Map()
  const linesOf = (one: Read): BestLines => bestLines(one.text, weights, query.phrases, known)
  const all = exchanges(sorted(read, linesOf))
  // If many of the best are in the same exchanges, the hits of this page are further down.
  const isMore = hasPhrase ? looked < best.length : best.length < total
  if (all.length < offset + limit && isMore && hasRoom)
    return findEntries(searched, typed, { limit, offset }, 4 * enough)
  const hits = all.slice(offset, offset + limit).map(({ one, also }) => {
    const { session, entry } = one
    return { session, entry, lines: (one.lines ?? linesOf(one)).text, also }
  })
  const isWhole = hasRoom && looked === total
  return {
    hits: await withNeighbours(searched, hits),
    // Whether an entry has a phrase is known only after reading it.
    total: hasPhrase || isWhole ? read.length : total,
    searched: hasPhrase ? count - (total - looked) : count,
    nearest: read.length === 0 ? await nearestWords(searched, query) : [],
  }
}

/** An entry that matches, and its place among all that may match. */
type Read = {
  readonly session: string
  readonly entry: Entry
  readonly text: string
  readonly score: number
  readonly place: number
  readonly lines?: BestLines
}

/** The most entries that are read together, after the first ones. */
const READ_TOGETHER = 500

/** Reads the best entries until enough of them match. `looked`: at how many; `hasRoom`: no text was too long to be looked at. */
async function readMatching(
  searched: Searched,
  query: Query,
  best: readonly Ranked[],
  enough: number,
): Promise<{ readonly read: Read[]; readonly looked: number; readonly hasRoom: boolean }> {
  const read: Read[] = []
  let [from, room, looked] = [0, MOST_CHARACTERS, 0]
  while (from < best.length && read.length < enough && room >= 0) {
    const some = best.slice(from, from + (from === 0 ? enough : READ_TOGETHER))
    const places = new Map(some.map(({ session, seq }, i) => [keyOf(session, seq), from + i]))
    const entries = (await searched.read(some)).map((one) => ({
      ...one,
      place: places.get(keyOf(one.session, one.entry.seq)) ?? 0,
    }))
    for (const { session, entry, place } of entries.sort((a, b) => a.place - b.place)) {
      const text = searchText(entry)
      room -= text.length
      if (room < 0) break
      looked++
      if (hasPhrases(text, query)) read.push({ session, entry, text, place, score: best[place]?.score ?? 0 })
    }
    from += some.length
  }
  return { read, looked, hasRoom: room >= 0 }
}

/** The first ones are sorted again by their lines. All others stay where they are, so that one page follows the other. */
function sorted(read: readonly Read[], linesOf: (one: Read) => BestLines): Read[] {
  const looked = read.map((one) => {
    if (one.place >= LOOKED_AT) return { ...one, score: 0 }
    const lines = linesOf(one)
    return { ...one, lines, score: one.score * closeness(lines) }
  })
  return looked.sort((a, b) => b.score - a.score || a.place - b.place)
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

/** A call, its result and the words around them are one exchange: the best of them is the hit. */
function exchanges(read: readonly Read[]): { readonly one: Read; readonly also: number[] }[] {
  const matching = new Set(read.map(({ session, entry }) => keyOf(session, entry.seq)))
  const hits: { one: Read; also: number[] }[] = []
  const places = new Map<string, number>()
  for (const one of read) {
    const { session, entry } = one
    const near = placesNear(session, entry.seq, matching).map((key) => places.get(key) ?? hits.length)
    const first = hits[Math.min(hits.length, ...near)]
    if (first !== undefined) {
      first.also.push(entry.seq)
      continue
    }
    places.set(keyOf(session, entry.seq), hits.length)
    hits.push({ one, also: [] })
  }
  return hits
}

const FARTHEST = 3

/** The entries close to one for which everything in between matches, too. */
function placesNear(session: string, seq: number, matching: ReadonlySet<string>): string[] {
  const near: string[] = []
  for (const step of [-1, 1]) {
    for (let far = 1; far <= FARTHEST; far++) {
      const key = keyOf(session, seq + step * far)
      near.push(key)
      if (!matching.has(key)) break
    }
  }
  return near
}

type Exchange = Omit<FoundEntry, 'near'>

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
