import { searchText } from './entry-doc.ts'
import type { Searched } from './find-entries.ts'
import type { Query, QueryWord } from './query.ts'
import { inOrder, narrowToNames, type OpenSegment, openSegments, type Ranked } from './rank.ts'
import { lettersOf, type StoredTable, type TermPlace } from './term-table.ts'
import { splitWords, termOf } from './terms.ts'

const MOST = 3
/** Of a longer query only these are compared with all terms of the index. */
const MOST_WORDS = 8

/** Words that occur in the searched entries and look like those of a query that found nothing. */
export async function nearestWords(searched: Searched, { words, filters }: Query): Promise<string[]> {
  const compared = words
    .filter(({ rule, text }) => rule !== 'bonus' && text.length >= SHORTEST)
    .slice(0, MOST_WORDS)
    .map(lookedFor)
  if (compared.length === 0) return []
  const open = await openSegments(searched.index, searched.scope, filters)
  await narrowToNames(searched.index, open, filters)
  const segments = new Map(open.map((segment) => [segment.id, segment]))
  const found: string[] = []
  for (const { term, places } of alike(compared, await searched.index.tables())) {
    const newest = await newestWith(places, segments)
    if (newest === undefined) continue
    const [word] = await wordsOf(searched, newest, term)
    if (word !== undefined && !found.includes(word)) found.push(word)
    if (found.length === MOST) break
  }
  return found
}

type Alike = { readonly term: string; readonly distance: number; readonly places: Place[] }
type Place = { readonly stored: StoredTable; readonly place: TermPlace }

/** The terms that look like one of these words, the closest first, with the places that they are at. */
function alike(words: readonly LookedFor[], tables: readonly StoredTable[]): Alike[] {
  const near = new Map<string, Alike>()
  const far = new Set<string>()
  for (const stored of tables) {
    for (const place of stored.table.ofShape((length, letters) => isSimilar(words, length, letters))) {
      const { term } = place
      if (far.has(term)) continue
      const known = near.get(term)
      if (known !== undefined) {
        known.places.push({ stored, place })
        continue
      }
      const distance = Math.min(...words.map((word) => distanceTo(word, term)))
      if (distance === Number.POSITIVE_INFINITY) far.add(term)
      else near.set(term, { term, distance, places: [{ stored, place }] })
    }
  }
  return [...near.values()].sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
}

/** True if a term has about the length and the letters of a word. Nearly none do, so few terms are compared letter by letter. */
function isSimilar(words: readonly LookedFor[], length: number, letters: number): boolean {
  for (const { forms, most } of words) {
    for (const form of forms) {
      const isLength = Math.abs(form.text.length - length) <= most
      if (isLength && bitsIn(form.letters ^ letters) <= 2 * most) return true
    }
  }
  return false
}

/** The newest document in scope that has a term. */
async function newestWith(
  places: readonly Place[],
  segments: ReadonlyMap<number, OpenSegment>,
): Promise<Ranked | undefined> {
  let newest: Ranked | undefined
  for (const { stored, place } of places) {
    const segment = segments.get(stored.segment)
    if (segment === undefined) continue
    await stored.open([place.block])
    const { docs, allowed, sessions } = segment
    stored.table.eachDoc(place, (doc) => {
      if (allowed[doc] !== 1) return
      const [seq, at] = [docs.seq[doc] ?? 0, docs.at[doc] ?? 0]
      const session = sessions[docs.session[doc] ?? 0] ?? ''
      const one = { session, seq, at, kind: docs.kind[doc] ?? 0, score: 0 }
      if (newest === undefined || inOrder(one, newest) < 0) newest = one
    })
  }
  return newest
}

/** The words of an entry with this term, as they are written there. */
async function wordsOf(searched: Searched, one: Ranked, term: string): Promise<string[]> {
  const read = await searched.read([one])
  return read.flatMap(({ entry }) =>
    splitWords(searchText(entry)).flatMap(({ text, parts, joined }) => {
      if (joined === term) return [text]
      const part = parts.find((each) => each === term || termOf(each) === term)
      return part === undefined ? [] : [part]
    }),
  )
}

/** Shorter words look like too many others. */
const SHORTEST = 3

type LookedFor = {
  readonly forms: readonly { readonly text: string; readonly letters: number }[]
  readonly most: number
}

function lookedFor({ text, term }: QueryWord): LookedFor {
  const forms = [...new Set([text, term])].map((form) => ({ text: form, letters: lettersOf(form) }))
  return { forms, most: text.length < 6 ? 1 : 2 }
}

function distanceTo({ forms, most }: LookedFor, term: string): number {
  if (term.includes(':')) return Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  for (const { text } of forms) {
    const distance = distanceOf(text, term, most)
    if (distance <= most) least = Math.min(least, distance)
  }
  return least
}

/** How many bits a number has: pairs are added up, then groups of four, of eight, and all. */
function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** How many letters differ, added, left out or swapped; more than `most` is not counted on. */
function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (before?.[j - 2] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row?.[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return most + 1
    ;[before, row] = [row, next]
  }
  return row?.[b.length] ?? most + 1
}
