import type { IndexReader } from './index-reader.ts'
import type { QueryWord } from './query.ts'
import type { Group, OpenSegment } from './rank.ts'
import type { StoredTable, TermPlace, TermTable } from './term-table.ts'

/** A word inside a longer one counts less than the word itself. */
const INSIDE = 0.4
/** A shorter part is in half of all words. */
const SHORTEST_PART = 4
/** With more hits than these a word is not also searched inside longer words. If the query has few words, each has to find more. */
const ENOUGH = 20
const ENOUGH_OF_FEW = 200
const FEW_WORDS = 2
const MOST_INSIDE = 200
/** Of a pasted page only these words are searched inside longer ones. */
const MOST_LOOKED = 8

type Segments = ReadonlyMap<number, OpenSegment>
type Groups = ReadonlyMap<QueryWord, Group>

/** Adds the entries that have a word of the query inside a longer word, as German compounds do. */
export async function addInside(
  reader: IndexReader,
  words: readonly QueryWord[],
  groups: Groups,
  segments: Segments,
): Promise<void> {
  const isFew = words.filter(({ rule }) => rule !== 'bonus').length <= FEW_WORDS
  const enough = isFew ? ENOUGH_OF_FEW : ENOUGH
  const parts = words.filter(({ rule, text }) => rule === 'any' && isPart(text))
  const rare = parts.filter((word) => (groups.get(word)?.size ?? 0) < enough)
  const looked = [...words.filter(({ rule }) => rule === 'begun'), ...rare.slice(0, MOST_LOOKED)]
  if (looked.length === 0) return
  const tables = await reader.tables()
  for (const word of looked) {
    const group = groups.get(word)
    if (group === undefined) continue
    const pattern = patternOf(word)
    const blocks = tables.map(({ table }) => table.blocksWith(pattern))
    for (const [i, stored] of tables.entries()) await stored.open(blocks[i] ?? [])
    const inside = termsInside(word.term, pattern, tables, blocks, segments)
    if (word.rule === 'begun') for (const one of inside) addTerm(group, one)
    else addShortest(group, inside)
  }
}

/** Finds a word inside a term. If the phrase begins or ends inside a version or a very long name, the term may have another text. */
function patternOf({ text, rule, hyphenated = text }: QueryWord): RegExp {
  const texts = new Set([text, hyphenated].map((one) => one.replaceAll('.', '\\.')))
  // A version is indexed without its `v`.
  const number = rule === 'begun' ? /^v(\d+)$/.exec(text)?.[1] : undefined
  return new RegExp([...texts, ...(number === undefined ? [] : [`^${number}\\d*\\.`])].join('|'), 'gm')
}

/** The terms of Chinese and Japanese are pairs, so one character is always a part. */
function isPart(text: string): boolean {
  return text.length >= SHORTEST_PART || /^[^\x20-\x7e]$/u.test(text)
}

/** A term with a word inside, in one of the segments. */
type Inside = { readonly table: TermTable; readonly segment: OpenSegment; readonly place: TermPlace }

function* termsInside(
  term: string,
  pattern: RegExp,
  tables: readonly StoredTable[],
  blocks: readonly (readonly number[])[],
  segments: Segments,
): Generator<Inside> {
  for (const [i, { segment: id, table }] of tables.entries()) {
    const segment = segments.get(id)
    if (segment === undefined) continue
    for (const block of blocks[i] ?? []) {
      for (const place of table.termsWith(pattern, block))
        if (place.term !== term && !place.term.includes(':')) yield { table, segment, place }
    }
  }
}

/** The shortest terms first, whatever the segments: two databases with the same entries add the same. */
function addShortest(group: Group, inside: Iterable<Inside>): void {
  const byTerm = Map.groupBy(inside, ({ place }) => place.term)
  const terms = [...byTerm].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  let added = 0
  for (const [, places] of terms) {
    const isAny = places.map((one) => addTerm(group, one)).includes(true)
    if (isAny && ++added === MOST_INSIDE) return
  }
}

/** Adds the documents of a term. False if none of them is in scope. */
function addTerm(group: Group, { table, segment, place }: Inside): boolean {
  const { id, allowed } = segment
  let counts = group.counts.get(id)
  let isAny = false
  table.eachDoc(place, (doc, weight) => {
    if (allowed[doc] !== 1) return
    isAny = true
    if (counts === undefined) {
      counts = new Float32Array(allowed.length)
      group.counts.set(id, counts)
    }
    const before = counts[doc] as number
    if (before === 0) group.size++
    counts[doc] = Math.max(before, weight * INSIDE)
  })
  return isAny
}
