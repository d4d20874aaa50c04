import { searchText } from './entry-doc.ts'
import type { Searched } from './find-entries.ts'
import type { Query, QueryWord } from './query.ts'
import { inOrder, narrowToNames, type OpenSegment, openSegments, type Ranked } from './rank.ts'
import { lettersOf, type StoredTable, type TermPlace, type WantedShape } from './term-table.ts'
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
  const tables = await searched.index.tables()
  const found: string[] = []
  const add = async (terms: readonly Alike[]) => {
    for (const { term, places } of terms) {
      if (found.length === MOST) return
      const newest = await newestWith(places, segments)
      if (newest === undefined) continue
      const [word] = await wordsOf(searched, newest, term)
      if (word !== undefined && !found.includes(word)) found.push(word)
    }
  }
  // The words of a phrase often occur, only not in this order. Then the other terms need not be compared.
  await add(await same(compared, tables))
  if (found.length < MOST) await add(alike(compared, tables))
  return found
}

/** The terms that are the same as one of these words. */
async function same(words: readonly LookedFor[], tables: readonly StoredTable[]): Promise<Alike[]> {
  const terms = [...new Set(words.flatMap(({ forms }) => forms))].sort()
  const found: Alike[] = []
  for (const term of terms) {
    const places: Place[] = []
    for (const stored of tables) {
      const place = await placeIn(stored, term)
      if (place !== undefined) places.push({ stored, place })
    }
    found.push({ term, distance: 0, places })
  }
  return found
}

async function placeIn({ table, open }: StoredTable, term: string): Promise<TermPlace | undefined> {
  const block = table.blockOf(term)
  if (block === undefined) return undefined
  await open([block])
  return table.find(block, term)
}

type Alike = { readonly term: string; readonly distance: number; readonly places: Place[] }
type Place = { readonly stored: StoredTable; readonly place: TermPlace }

/** The terms that look like one of these words, the closest first, with the places that they are at. */
function alike(words: readonly LookedFor[], tables: readonly StoredTable[]): Alike[] {
  const near = new Map<string, Alike>()
  const far = new Set<string>()
  const shapes = shapesOf(words)
  for (const stored of tables) {
    for (const place of stored.table.ofShape(shapes)) {
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

/** The letters of these words by the lengths of terms that may look like them. Nearly no term is of such a shape. */
function shapesOf(words: readonly LookedFor[]): WantedShape[][] {
  const shapes: WantedShape[][] = []
  for (const { forms, most } of words) {
    for (const form of forms) {
      const shape = { letters: lettersOf(form), most: 2 * most }
      for (let length = Math.max(0, form.length - most); length <= form.length + most; length++) {
        const same = shapes[length] ?? []
        same.push(shape)
        shapes[length] = same
      }
    }
  }
  return shapes
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
  readonly forms: readonly string[]
  readonly most: number
}

function lookedFor({ text, term }: QueryWord): LookedFor {
  return { forms: [...new Set([text, term])], most: text.length < 6 ? 1 : 2 }
}

function distanceTo({ forms, most }: LookedFor, term: string): number {
  if (term.includes(':')) return Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  for (const text of forms) {
    const distance = distanceOf(text, term, most)
    if (distance <= most) least = Math.min(least, distance)
  }
  return least
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
