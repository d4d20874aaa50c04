import { type FoundEntry, findEntries, type Page, type Searched } from '../../search/find-entries.ts'
import { hitOf } from '../../search/hits.ts'
import { afterOld, withIndexed } from '../../search/indexed-sessions.ts'
import type { KeptSegments } from '../../search/kept-segments.ts'
import { joinedIndex, memoryIndex } from '../../search/memory-index.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import type { Hit, SearchQuery, SearchResult } from '../store.ts'
import type { Database } from './database.ts'
import { indexState, storedIndex } from './index-rows.ts'
import { searchOldIndex } from './old-search.ts'
import { countWaitingRows, isComplete, waitingDocs } from './search-index.ts'
import { type SearchScope, searchScope, turnOf } from './search-scope.ts'

/** How often a search begins again when segments were replaced meanwhile. */
const MOST_TRIES = 3

/** Runs work that only reads, again while the file is locked. */
export type Reading = <T>(work: () => T) => Promise<T>

/** Searches the stored index and the rows that wait to be indexed. */
export async function searchRows(
  database: Database,
  kept: KeptSegments,
  query: SearchQuery,
  run: Reading,
): Promise<SearchResult> {
  for (let tries = 1; ; tries++) {
    const began = await run(() => {
      const scope = searchScope(database, query)
      if (!isComplete(database))
        return {
          ...searchOldIndex(database, query, scope),
          waiting: countWaitingRows(database, scope.owners) || undefined,
        }
      return { scope, waiting: waitingDocs(database, scope.owners), state: indexState(database) }
    })
    if ('hits' in began) return afterOld(began, query.beside, query.text, pageOf(query))
    const { scope, waiting, state } = began
    const index = joinedIndex([storedIndex(database, kept, scope.owners, run), memoryIndex(waiting)])
    const read: Searched['read'] = (hits) => run(() => readEntries(database, hits))
    const { beside } = query
    const found = await findEntries(withIndexed({ index, scope: scope.upTo, read }, beside), query.text, pageOf(query))
    const end = await run(() => ({
      state: indexState(database),
      hits: found.hits.flatMap((hit) =>
        beside?.has(hit.session) ? beside.hitOf(hit) : shownHit(database, hit, scope),
      ),
    }))
    if (end.state === state || tries === MOST_TRIES) return { ...found, hits: end.hits }
  }
}

function pageOf({ limit = 20, offset = 0 }: SearchQuery): Page {
  return { limit: Math.max(1, Math.floor(limit)), offset: Math.max(0, Math.floor(offset)) }
}

function readEntries(database: Database, hits: Parameters<Searched['read']>[0]): Awaited<ReturnType<Searched['read']>> {
  const sql = database.prepared('SELECT body, facts FROM entries WHERE session_id = ? AND seq = ?')
  return hits.flatMap(({ session, seq }) => {
    const row = sql.get(session, seq) as StoredEntry | undefined
    const entry = row === undefined ? 'gone' : readStoredEntry(row, seq)
    return typeof entry === 'string' ? [] : [{ session, entry }]
  })
}

function shownHit(database: Database, found: FoundEntry, scope: SearchScope): Hit[] {
  const { session: own, entry, lines, also, near } = found
  const session = scope.holderOf(own, entry.seq)
  if (session === undefined) return []
  return [{ ...hitOf(entry), session, turn: turnOf(database, session, entry.seq), snippet: lines, also, near }]
}
