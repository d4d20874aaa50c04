import type pg from 'pg'
import type { Entry, Seq } from '../../model/types.ts'
import { type Found, findEntries, type Page, type Searched } from '../../search/find-entries.ts'
import { hitOf } from '../../search/hits.ts'
import type { IndexReader } from '../../search/index-reader.ts'
import { afterOld, withIndexed } from '../../search/indexed-sessions.ts'
import type { KeptSegments, SegmentBody } from '../../search/kept-segments.ts'
import { joinedIndex, memoryIndex } from '../../search/memory-index.ts'
import type { Scope } from '../../search/rank.ts'
import type { TermBlock } from '../../search/segment.ts'
import type { KnownWords } from '../../search/terms.ts'
import type { Hit, SearchQuery, SearchResult, SessionId } from '../store.ts'
import { type Db, type EntryRow, entryFrom, limitOf, rowsOf, snapshot, storable, transaction } from './connection.ts'
import type { Indexer } from './indexer.ts'
import { hitTurns, searchPhrase } from './phrase-search.ts'
import { HEIR, readSegments } from './read-entries.ts'
import {
  countWaiting,
  hasSearchTexts,
  indexWaitingEntries,
  isBehind,
  MOST_WAITING,
  type Readable,
  type WaitingEntry,
  waitingDoc,
  waitingState,
} from './search-index.ts'
import { readSession } from './session-queries.ts'

const HITS = 20
/** How long a search helps to index entries that were appended before it. Then it answers with those that are indexed. */
const HELP_MS = 3_000

/** Searches in one snapshot of the database: the index, the entries that wait to be indexed, and the entries of the hits. */
export async function searchEntries(
  pool: pg.Pool,
  indexer: Pick<Indexer, 'hasTexts' | 'wake'>,
  kept: KeptSegments,
  query: SearchQuery,
  helpMs = HELP_MS,
): Promise<SearchResult> {
  if (indexer.hasTexts && (await hasSearchTexts(pool)))
    return afterOld(await searchOld(pool, query), query.beside, query.text, pageOf(query))
  const until = performance.now() + helpMs
  for (;;) {
    const isLate = performance.now() > until
    const { values, result } = await snapshot(pool, async (db) => {
      const places = await placesIn(db, query)
      const waiting = await waitingState(db, places.values)
      if (waiting.entries > 0) indexer.wake()
      const mayHelp = !isLate && isBehind(waiting)
      return { values: places.values, result: mayHelp ? undefined : await searchIndex(db, kept, query, places) }
    })
    if (result !== undefined) return result
    await transaction(pool, (db) => indexWaitingEntries(db, 'wait', values))
  }
}

/** The search by phrase, which needs no index of words; `waiting` says how far that is. */
async function searchOld(pool: pg.Pool, query: SearchQuery): Promise<SearchResult> {
  const { values } = await placesIn(pool, query)
  return { ...(await searchPhrase(pool, query)), waiting: (await countWaiting(pool, values)) || undefined }
}

function placesIn(db: Db, query: SearchQuery): Promise<Places> {
  return query.session === undefined ? allPlaces(db, query) : placesOf(db, query, query.session)
}

async function searchIndex(db: Db, kept: KeptSegments, query: SearchQuery, places: Places): Promise<SearchResult> {
  const waiting = await rowsOf<WaitingEntry>(db, WAITING, [...places.values, MOST_WAITING])
  const heads = await rowsOf<HeadRow>(db, HEADS, places.values)
  const known: KnownWords = new Map()
  const docs = waiting.flatMap((row) => waitingDoc(row, known) ?? [])
  const searched: Searched = {
    index: joinedIndex([storedIndex(db, kept, heads), memoryIndex(docs)]),
    scope: places.scope(heads),
    read: (hits) => readHits(db, hits),
  }
  const found = await findEntries(withIndexed(searched, query.beside), query.text, pageOf(query))
  const unread = waiting.length < MOST_WAITING ? 0 : (await countWaiting(db, places.values)) - waiting.length
  const hits = await hitsOf(db, found, places, query)
  return unread > 0 ? { ...found, hits, waiting: unread } : { ...found, hits }
}

function pageOf({ limit = HITS, offset = 0 }: SearchQuery): Page {
  return { limit: limitOf(limit, 1), offset: Math.max(0, Math.floor(offset)) }
}

async function hitsOf(db: Db, { hits }: Found, { shownIn }: Places, { beside }: SearchQuery): Promise<Hit[]> {
  const own = hits.filter(({ session }) => beside?.has(session) !== true)
  const shown = own.map(({ session, entry: { seq } }) => ({ session: shownIn(session, seq), seq }))
  const turns = await hitTurns(db, shown)
  return hits.map((hit) => {
    if (beside?.has(hit.session)) return beside.hitOf(hit)
    const { entry, lines, also, near } = hit
    const at = own.indexOf(hit)
    return {
      ...hitOf(entry),
      session: shown[at]?.session ?? hit.session,
      turn: turns[at] ?? 0,
      snippet: lines,
      also,
      near,
    }
  })
}

/** The sessions that a search looks in. */
type Places = {
  /** For the statements. */
  readonly values: Readable
  readonly scope: (segments: readonly HeadRow[]) => Scope
  /** The session that an entry is shown in. */
  readonly shownIn: (session: SessionId, seq: Seq) => SessionId
}

/** One session, with the entries that it shares with its ancestors. */
async function placesOf(db: Db, { owner, with: others = [] }: SearchQuery, id: SessionId): Promise<Places> {
  const session = owner === undefined && others.length === 0 ? undefined : await readSession(db, id)
  const isHidden = owner !== undefined && session?.owner !== storable(owner)
  const parts = isHidden ? [] : await readSegments(db, id)
  const upTo = new Map(parts.map((part) => [part.id, part.upTo]))
  const beside = new Set<SessionId>()
  for (const one of isHidden ? [] : others) {
    const other = await readSession(db, one)
    if (other !== undefined && other.owner === session?.owner) beside.add(other.id)
  }
  for (const one of beside) upTo.set(one, Number.MAX_SAFE_INTEGER)
  return {
    values: [null, [...upTo.keys()], false],
    scope: () => (one) => upTo.get(one) ?? -1,
    shownIn: (one) => (beside.has(one) ? one : id),
  }
}

/** All sessions of an owner. An entry of a deleted one is shown in the first fork that shares it. */
async function allPlaces(db: Db, query: SearchQuery): Promise<Places> {
  const owner = query.owner === undefined ? null : storable(query.owner)
  const among = query.among === undefined ? undefined : new Set(query.among)
  const isMeant = (id: SessionId) => among?.has(id) ?? true
  const deleted = Map.groupBy(await rowsOf<HeirRow>(db, HEIRS, [owner]), ({ stored }) => stored)
  const heirsOf = (id: SessionId) => deleted.get(id)?.filter((row) => row.heir !== null && isMeant(row.heir))
  return {
    values: [owner, [...deleted.keys()].filter((id) => heirsOf(id)?.length), owner === null],
    scope: (segments) => {
      // A segment of another owner is read for the deleted sessions in it, not for its other ones.
      const foreign = new Set(segments.flatMap(({ foreign_sessions }) => foreign_sessions ?? []))
      return (id) => {
        const heirs = heirsOf(id)
        if (heirs !== undefined) return heirs.reduce((most, { shared }) => Math.max(most, shared ?? -1), -1)
        return isMeant(id) && !foreign.has(id) ? Number.MAX_SAFE_INTEGER : -1
      }
    },
    shownIn: (id, seq) => heirsOf(id)?.find(({ shared }) => (shared ?? 0) >= seq)?.heir ?? id,
  }
}

type HeirRow = { readonly stored: SessionId; readonly heir: SessionId | null; readonly shared: Seq | null }

/** Deleted sessions with the forks of this owner that share their entries, and how far. */
const HEIRS = `
  WITH RECURSIVE ${HEIR}
  SELECT h.id AS stored, heir.id AS heir, heir.shared
  FROM sessions h
  LEFT JOIN heir ON heir.stored = h.id AND NOT heir.hidden AND ($1::text IS NULL OR heir.owner = $1)
  WHERE h.hidden
  ORDER BY heir.id COLLATE "C"`

const WAITING = `
  SELECT w.session_id, w.seq, w.is_stale, s.owner, e.id, e.body
  FROM search_waiting w
  JOIN sessions s ON s.id = w.session_id
  JOIN entries e ON e.session_id = w.session_id AND e.seq = w.seq
  WHERE $3 OR s.owner = $1 OR s.id = ANY ($2::text[])
  ORDER BY e.at DESC
  LIMIT $4`

const HEADS = `
  SELECT id, cardinality(gone) AS version, gone, CASE WHEN $3 OR owner = $1 THEN NULL ELSE sessions END AS foreign_sessions
  FROM search_segments WHERE $3 OR owner = $1 OR sessions ?| $2::text[] ORDER BY id`

type HeadRow = {
  readonly id: number
  /** A segment changes only by documents that go. */
  readonly version: number
  readonly gone: readonly number[]
  /** Its sessions, if it is of another owner. */
  readonly foreign_sessions: readonly SessionId[] | null
}

function storedIndex(db: Db, kept: KeptSegments, heads: readonly HeadRow[]): IndexReader {
  return kept.reader({
    heads: async () => heads.map(({ id, version, gone }) => ({ id, version, goneIn: () => gone })),
    there: async (ids) => {
      const rows = await rowsOf<{ id: number }>(db, 'SELECT id FROM search_segments WHERE id = ANY ($1::bigint[])', [
        ids,
      ])
      return rows.map(({ id }) => id)
    },
    bodies: (ids) =>
      rowsOf<SegmentBody>(db, 'SELECT id, sessions, docs FROM search_segments WHERE id = ANY ($1::bigint[])', [ids]),
    blocks: (ids, terms) => rowsOf<BlockRow>(db, BLOCKS, [ids, terms]),
    terms: (ids) => rowsOf<Omit<BlockRow, 'lists'>>(db, TERMS, [ids]),
    lists: (segment, firsts) => rowsOf<Pick<BlockRow, 'first' | 'lists'>>(db, LISTS, [segment, firsts]),
  })
}

type BlockRow = TermBlock & { readonly segment: number }

const TERMS = `
  SELECT segment, first, terms FROM search_blocks WHERE segment = ANY ($1::bigint[]) ORDER BY segment, first`

const LISTS = 'SELECT first, lists FROM search_blocks WHERE segment = $1 AND first = ANY ($2::text[])'

/** Each block once, although several terms may be in it. */
const BLOCKS = `
  SELECT b.segment, b.first, b.terms, b.lists
  FROM (
    SELECT DISTINCT place.segment, place.first
    FROM unnest($1::bigint[]) AS s (id) CROSS JOIN unnest($2::text[]) AS t (term)
    CROSS JOIN LATERAL (
      SELECT segment, first FROM search_blocks
      WHERE segment = s.id AND first <= t.term COLLATE "C" ORDER BY first DESC LIMIT 1
    ) AS place
  ) AS wanted
  JOIN search_blocks b ON b.segment = wanted.segment AND b.first = wanted.first`

/** The most bytes that the entries of the hits may have: a phrase is looked for in all of them. */
const MOST_BYTES = 64_000_000

async function readHits(
  db: Db,
  hits: Parameters<Searched['read']>[0],
): Promise<{ session: SessionId; entry: Entry }[]> {
  if (hits.length === 0) return []
  const values = [hits.map(({ session }) => session), hits.map(({ seq }) => seq), MOST_BYTES]
  const rows = await rowsOf<EntryRow & { session: SessionId }>(db, ENTRIES, values)
  return rows.flatMap(({ session, ...row }) => {
    const read = entryFrom(row)
    return 'entry' in read ? [{ session, entry: read.entry }] : []
  })
}

const ENTRIES = `
  SELECT session, seq, id, body, facts FROM (
    SELECT e.session_id AS session, e.seq, e.id, e.body, e.facts, octet_length(e.body) AS size,
      sum(octet_length(e.body)) OVER (ORDER BY hit.place) AS size_with_better
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS hit (session, seq, place)
    JOIN entries e ON e.session_id = hit.session AND e.seq = hit.seq
  ) AS sized
  WHERE size_with_better - size < $3`
