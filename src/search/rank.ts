import type { IndexReader, Lists, StoredSegment } from './index-reader.ts'
import { addInside } from './inside-words.ts'
import type { Filters, Query, QueryWord } from './query.ts'
import type { Docs, List } from './segment.ts'

/** The highest seq of a session that may be found; -1: none. */
export type Scope = (session: string) => number

export type Ranked = {
  readonly session: string
  readonly seq: number
  readonly at: number
  readonly kind: number
  readonly score: number
}

export type Ranking = {
  /** The best, in order. */
  readonly best: readonly Ranked[]
  /** How many entries match. */
  readonly total: number
  /** How many entries were searched. */
  readonly searched: number
  /** The rarity of each word of the query: the rarer, the more it says. */
  readonly weights: ReadonlyMap<QueryWord, number>
}

/** Bits of a document's kind. */
export const KIND = { user: 1, assistant: 2, tool: 4, error: 8, edit: 16 } as const

/** The usual constants of BM25: how soon repetitions stop to count, and how much the length does. */
const K1 = 1.2
const B = 0.75

/** Ranks the entries of an index by BM25. Rarity and lengths come from the entries in scope alone. */
export async function rank(reader: IndexReader, query: Query, scope: Scope, most: number): Promise<Ranking> {
  const segments = await openSegments(reader, scope, query.filters)
  const all = new Map(segments.map((segment) => [segment.id, segment]))
  const narrowed = filterTerms(query.filters)
  const wanted = new Set([...query.words.map(({ term }) => term), ...narrowed])
  const found = await reader.lists([...wanted])
  for (const segment of segments) narrow(segment, narrowed, found)
  const groups = new Map(query.words.map((word) => [word, groupOf(word.term, found, all)]))
  await addInside(reader, query.words, groups, all)
  const size = sizeOf(segments)
  for (const segment of segments) needAll(segment, groups)
  return scored(segments, groups, size, most)
}

/** The segments with their documents in scope. */
export async function openSegments(reader: IndexReader, scope: Scope, filters: Filters): Promise<OpenSegment[]> {
  return (await reader.segments()).map((segment) => openSegment(segment, scope, filters))
}

export type OpenSegment = {
  readonly id: number
  readonly sessions: readonly string[]
  readonly docs: Docs
  /** 1 for each document that may be found. */
  readonly allowed: Uint8Array
}

function openSegment(stored: StoredSegment, scope: Scope, filters: Filters): OpenSegment {
  const { id, sessions, docs } = stored
  const upTo = sessions.map((session) =>
    filters.session === undefined || isNamed(session, filters.session) ? scope(session) : -1,
  )
  const allowed = new Uint8Array(docs.count)
  const isWanted = kindFilter(filters)
  const { before = Number.POSITIVE_INFINITY, after = 0 } = filters
  for (let doc = 0; doc < docs.count; doc++) {
    const at = docs.at[doc] ?? 0
    const isThere = (docs.seq[doc] ?? 0) <= (upTo[docs.session[doc] ?? 0] ?? -1)
    if (isThere && at >= after && at < before && isWanted(docs.kind[doc] ?? 0)) allowed[doc] = 1
  }
  for (const doc of stored.gone) allowed[doc] = 0
  return { id, sessions, docs, allowed }
}

/** True if an id begins like this. The ids of other agents' sessions have the agent before their own beginning. */
function isNamed(session: string, start: string): boolean {
  return session.startsWith(start) || session.slice(session.lastIndexOf(':') + 1).startsWith(start)
}

function kindFilter({ role, is }: Filters): (kind: number) => boolean {
  const needed = (role === undefined ? 0 : KIND[role]) + (is === undefined ? 0 : KIND[is])
  return (kind) => (kind & needed) === needed
}

/** Terms that no text has: an entry is indexed with the tools and the files that it names. */
export function toolTerm(tool: string): string {
  return `tool:${plainName(tool)}`
}

/** A path is found by its last parts. */
export function fileTerms(path: string): string[] {
  const parts = pathParts(path)
  return parts.map((_, i) => `file:${plainName(parts.slice(i).join('/'))}`)
}

/** The most parts of a path that count: the folders before them are the same for all files of a project. */
const MOST_PARTS = 4

function pathParts(path: string): string[] {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  return parts.slice(-MOST_PARTS)
}

/** Without what a block of terms cannot have, and what the databases would sort differently. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .toWellFormed()
    .replace(/[\p{Cc}\ue000-\uffff]/gu, '')
}

function filterTerms({ tool, file }: Filters): string[] {
  return [...(tool === undefined ? [] : [toolTerm(tool)]), ...(file === undefined ? [] : fileTerms(file).slice(0, 1))]
}

function narrow({ id, docs, allowed }: OpenSegment, terms: readonly string[], lists: Lists): void {
  for (const term of terms) {
    const has = new Uint8Array(docs.count)
    for (const doc of lists.get(id)?.get(term)?.docs ?? []) has[doc] = 1
    for (let doc = 0; doc < docs.count; doc++) if (has[doc] === 0) allowed[doc] = 0
  }
}

/** Leaves only the documents that name the tool and the file of the filters. */
export async function narrowToNames(
  reader: IndexReader,
  segments: readonly OpenSegment[],
  filters: Filters,
): Promise<void> {
  const terms = filterTerms(filters)
  if (terms.length === 0) return
  const lists = await reader.lists(terms)
  for (const segment of segments) narrow(segment, terms, lists)
}

/** The documents that have a word of the query, by segment, and how often; 0 for all others. */
export type Group = { readonly counts: Map<number, Float32Array>; size: number }

function groupOf(term: string, lists: Lists, segments: ReadonlyMap<number, OpenSegment>): Group {
  const group: Group = { counts: new Map(), size: 0 }
  for (const [id, segment] of segments) addList(group, segment, lists.get(id)?.get(term))
  return group
}

function addList(group: Group, { id, allowed }: OpenSegment, list: List | undefined): void {
  if (list === undefined) return
  const counts = new Float32Array(allowed.length)
  group.counts.set(id, counts)
  const { docs, weights } = list
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    if (allowed[doc] !== 1) continue
    group.size++
    counts[doc] = weights[i] as number
  }
}

/** Leaves only the documents that have all words that are needed. */
function needAll({ id, allowed }: OpenSegment, groups: ReadonlyMap<QueryWord, Group>): void {
  for (const [{ rule }, { counts }] of groups) {
    if (rule !== 'needed' && rule !== 'begun') continue
    const here = counts.get(id)
    for (let doc = 0; doc < allowed.length; doc++) if ((here?.[doc] ?? 0) === 0) allowed[doc] = 0
  }
}

type Size = { readonly searched: number; readonly average: number }

/** How many documents are searched, and how long they are. */
function sizeOf(segments: readonly OpenSegment[]): Size {
  let [searched, length] = [0, 0]
  for (const { docs, allowed } of segments) {
    for (let doc = 0; doc < docs.count; doc++) {
      if (allowed[doc] !== 1) continue
      searched++
      length += docs.length[doc] as number
    }
  }
  return { searched, average: Math.max(1, length / Math.max(1, searched)) }
}

function scored(
  segments: readonly OpenSegment[],
  groups: ReadonlyMap<QueryWord, Group>,
  { searched, average }: Size,
  most: number,
): Ranking {
  const weights = new Map<QueryWord, number>()
  let whole = 0
  for (const [word, { size }] of groups) {
    const weight = Math.log(1 + (searched - size + 0.5) / (size + 0.5))
    weights.set(word, weight)
    if (word.rule !== 'bonus') whole += weight
  }
  const best = new Best(most)
  let total = 0
  // The newest first: of equals it is the newest that stay, so the older ones are not even kept for a while.
  for (const { id, sessions, docs, allowed } of segments.toReversed()) {
    const words = [...groups].filter(([, { counts }]) => counts.has(id))
    // Plain arrays: the inner loop runs for every word of every document.
    const countsOf = words.map(([, { counts }]) => counts.get(id) as Float32Array)
    const weightOf = words.map(([word]) => weights.get(word) ?? 0)
    const coverOf = words.map(([word], i) => (word.rule === 'bonus' ? 0 : (weightOf[i] ?? 0)))
    for (let doc = docs.count - 1; doc >= 0; doc--) {
      if (allowed[doc] !== 1) continue
      const norm = K1 * (1 - B + (B * (docs.length[doc] as number)) / average)
      let sum = 0
      let covered = 0
      for (let i = 0; i < countsOf.length; i++) {
        const count = (countsOf[i] as Float32Array)[doc] as number
        if (count === 0) continue
        sum += ((weightOf[i] as number) * count * (K1 + 1)) / (count + norm)
        covered += coverOf[i] as number
      }
      const share = whole === 0 ? 1 : covered / whole
      if (share === 0) continue
      total++
      const kind = docs.kind[doc] as number
      const score = sum * priorOf(kind) * (0.5 + 0.5 * share)
      const at = docs.at[doc] as number
      if (best.isBelow(score, at)) continue
      const session = sessions[docs.session[doc] as number] ?? ''
      best.add({ session, seq: docs.seq[doc] as number, at, kind, score })
    }
  }
  return { best: best.inOrder(), total, searched, weights }
}

/** The best of very many. */
class Best {
  readonly #most: number
  #found: Ranked[] = []
  #least: Ranked | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** True if there are enough that come before every entry of this score and time. */
  isBelow(score: number, at: number): boolean {
    if (this.#least === undefined || score > this.#least.score) return false
    return score < this.#least.score || at < this.#least.at
  }

  add(one: Ranked): void {
    this.#found.push(one)
    if (this.#found.length < 4 * this.#most) return
    this.#found = this.inOrder()
    this.#least = this.#found.at(-1)
  }

  inOrder(): Ranked[] {
    return this.#found.sort(inOrder).slice(0, this.#most)
  }
}

/** The user's words and the changes of an edit come before a file that merely contains the words. */
function priorOf(kind: number): number {
  if ((kind & KIND.user) !== 0) return 1.5
  if ((kind & KIND.edit) !== 0) return 1.3
  return (kind & KIND.assistant) !== 0 ? 1.2 : 1
}

/** The best first; of equals the newest, so that every database gives the same order. */
export function inOrder(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.at - a.at || (a.session < b.session ? -1 : a.session > b.session ? 1 : b.seq - a.seq)
}
