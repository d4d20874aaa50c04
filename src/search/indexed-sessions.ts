import { type FoundEntry, findEntries, type Page, type Searched } from './find-entries.ts'
import type { Hit, SearchResult } from './hits.ts'
import { joinedIndex } from './memory-index.ts'

/** Sessions that can be searched by themselves or together with a store, such as the files of other agents. */
export type IndexedSessions = Searched & {
  /** True for a session of this place: no store has one of this id. */
  has(session: string): boolean
  hitOf(found: FoundEntry): Hit
}

/** Searches a place. */
export async function searchIndexed(place: IndexedSessions, text: string, page: Page): Promise<SearchResult> {
  const found = await findEntries(place, text, page)
  return { ...found, hits: found.hits.map((hit) => place.hitOf(hit)) }
}

/** A store and a place as one: how rare a word is comes from the entries of both. */
export function withIndexed(own: Searched, beside: IndexedSessions | undefined): Searched {
  if (beside === undefined) return own
  return {
    index: joinedIndex([own.index, beside.index]),
    scope: (session) => (beside.has(session) ? beside : own).scope(session),
    read: async (hits) => {
      const [theirs, ours] = [
        hits.filter(({ session }) => beside.has(session)),
        hits.filter((hit) => !beside.has(hit.session)),
      ]
      return [...(await own.read(ours)), ...(await beside.read(theirs))]
    },
  }
}

/** The answer of an old index of phrases, and after it that of other sessions: such an index does not rank. */
export async function afterOld(
  old: SearchResult,
  beside: IndexedSessions | undefined,
  text: string,
  page: Page,
): Promise<SearchResult> {
  if (beside === undefined) return old
  const { hits, total, searched, nearest } = await searchIndexed(beside, text, page)
  return {
    hits: [...old.hits, ...hits].slice(0, page.limit),
    total: old.total + total,
    searched: old.searched + searched,
    nearest,
    waiting: old.waiting,
  }
}
