import { setImmediate as rest } from 'node:timers/promises'
import type { Seq } from '../../model/types.ts'
import { docOf } from '../../search/entry-doc.ts'
import { nextMerge } from '../../search/next-merge.ts'
import {
  blockWithout,
  merged,
  type NewDoc,
  readDocs,
  type Segment,
  type Source,
  segmentOf,
  type TermBlock,
} from '../../search/segment.ts'
import type { KnownWords } from '../../search/terms.ts'
import type { SessionId } from '../store.ts'
import { type Db, type EntryRow, entryFrom, rowsOf } from './connection.ts'

/** Locks of the index: any numbers that other programs do not use. */
export const INDEXING = 0x70697469
const FORGETTING = 0x7069746a

/** One process at a time indexes in the background. The lock is held until the caller's transaction ends. */
export async function takesIndexing(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ is_mine: boolean }>(db, 'SELECT pg_try_advisory_xact_lock($1) AS is_mine', [INDEXING])
  return row?.is_mine === true
}

/** Entries of one batch, and about the bytes of their bodies: other work waits while they are read. */
const MOST_ENTRIES = 256
const MOST_BYTES = 1_000_000

/** The entries that a caller may read: of this owner, of these sessions of any owner, or all. */
export type Readable = readonly [owner: string | null, sessions: readonly SessionId[], isAll: boolean]
const EVERYTHING: Readable = [null, [], true]
const IS_READABLE = '($3 OR s.owner = $1 OR w.session_id = ANY ($2::text[]))'

/**
 * Indexes some of the entries that wait, inside the caller's transaction; true if there may be more. Entries that another process
 * is at are left out, or waited for.
 */
export async function indexWaitingEntries(
  db: Db,
  locked: 'leave' | 'wait',
  of: Readable = EVERYTHING,
): Promise<boolean> {
  const sql = `${TAKE} ${locked === 'leave' ? 'SKIP LOCKED' : ''}`
  const taken = await rowsOf<Place>(db, sql, [...of, MOST_ENTRIES])
  if (taken.length === 0) return false
  // Only a statement that begins after the lock is had sees the texts that a redaction has left.
  const rows = await rowsOf<WaitingEntry>(db, ENTRIES, [...columns(taken), MOST_BYTES])
  await forgetDocs(
    db,
    rows.filter(({ is_stale }) => is_stale),
  )
  const known: KnownWords = new Map()
  const docs = rows.flatMap((row) => {
    const doc = waitingDoc(row, known)
    return doc === undefined ? [] : [{ owner: row.owner ?? '', doc }]
  })
  for (const [owner, own] of Map.groupBy(docs, (one) => one.owner)) {
    const segment = segmentOf(own.map(({ doc }) => doc))
    await insertSegment(db, owner, segment, own.length)
  }
  await rowsOf(db, DONE, columns(rows))
  return taken.length === MOST_ENTRIES || rows.length < taken.length
}

type Place = { readonly session_id: SessionId; readonly seq: Seq }

/** An entry that waits; without a body if it was deleted. */
export type WaitingEntry = Place & {
  readonly is_stale: boolean
  readonly owner: string | null
  readonly id: string
  readonly body: string | null
}

/** The document of an entry that waits; undefined for one that no search finds. */
export function waitingDoc({ session_id, body, ...row }: WaitingEntry, known: KnownWords): NewDoc | undefined {
  if (body === null) return undefined
  const read = entryFrom({ ...row, body, facts: null } satisfies EntryRow, true)
  return 'entry' in read ? docOf(session_id, read.entry, known) : undefined
}

function columns(places: readonly Place[]): [SessionId[], Seq[]] {
  return [places.map(({ session_id }) => session_id), places.map(({ seq }) => seq)]
}

const TAKE = `
  SELECT w.session_id, w.seq FROM search_waiting w LEFT JOIN sessions s ON s.id = w.session_id
  WHERE ${IS_READABLE} ORDER BY w.session_id, w.seq LIMIT $4 FOR UPDATE OF w`

const ENTRIES = `
  SELECT session_id, seq, is_stale, owner, id, body FROM (
    SELECT w.session_id, w.seq, w.is_stale, s.owner, e.id, e.body, octet_length(e.body) AS size,
      sum(octet_length(e.body)) OVER (ORDER BY w.session_id, w.seq) AS size_with_earlier
    FROM search_waiting w JOIN unnest($1::text[], $2::bigint[]) AS taken (session_id, seq) USING (session_id, seq)
    LEFT JOIN entries e ON e.session_id = w.session_id AND e.seq = w.seq
    LEFT JOIN sessions s ON s.id = w.session_id
  ) AS sized
  WHERE size IS NULL OR size_with_earlier - size < $3`

const DONE = `
  DELETE FROM search_waiting w USING unnest($1::text[], $2::bigint[]) AS done (session_id, seq)
  WHERE w.session_id = done.session_id AND w.seq = done.seq`

/**
 * Removes every word of these entries from the index, inside the caller's transaction. To be called after their texts were
 * overwritten or deleted: from then on they wait, so that nobody indexes the old texts meanwhile.
 */
export async function forgetDocs(db: Db, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return
  // Without a merge that ends now: it would bring the words into a segment that is not seen here.
  await rowsOf(db, 'SELECT pg_advisory_xact_lock_shared($1)', [FORGETTING])
  const wanted = Map.groupBy(places, ({ session_id }) => session_id)
  for (const segment of await rowsOf<SegmentRow>(db, `${SEGMENTS_WITH} FOR UPDATE`, [[...wanted.keys()]])) {
    const docs = readDocs(segment.docs)
    const seqs = segment.sessions.map((session) => new Set(wanted.get(session)?.map(({ seq }) => seq)))
    const before = new Set(segment.gone)
    const gone: number[] = []
    for (let doc = 0; doc < docs.count; doc++)
      if (!before.has(doc) && seqs[docs.session[doc] ?? 0]?.has(docs.seq[doc] ?? 0)) gone.push(doc)
    if (gone.length === 0) continue
    if (gone.length === segment.count) {
      await rowsOf(db, 'DELETE FROM search_segments WHERE id = $1', [segment.id])
      continue
    }
    await rewriteBlocks(db, segment.id, new Set(gone))
    await rowsOf(db, 'UPDATE search_segments SET gone = gone || $2::integer[], count = count - $3 WHERE id = $1', [
      segment.id,
      gone,
      gone.length,
    ])
  }
  await rowsOf(db, FORGOTTEN, columns(places))
}

type SegmentRow = {
  readonly id: number
  readonly owner: string
  readonly sessions: readonly string[]
  readonly docs: Uint8Array
  readonly count: number
  readonly gone: readonly number[]
}

const SEGMENTS_WITH =
  'SELECT id, owner, sessions, docs, count, gone FROM search_segments WHERE sessions ?| $1::text[] ORDER BY id'

const FORGOTTEN = `
  WITH place AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS place (session_id, seq)), deleted AS (
    DELETE FROM search_waiting w USING place p
    WHERE w.session_id = p.session_id AND w.seq = p.seq
      AND NOT EXISTS (SELECT FROM entries e WHERE e.session_id = p.session_id AND e.seq = p.seq)
  )
  UPDATE search_waiting w SET is_stale = false FROM place p
  WHERE w.session_id = p.session_id AND w.seq = p.seq AND w.is_stale
    AND EXISTS (SELECT FROM entries e WHERE e.session_id = p.session_id AND e.seq = p.seq)`

async function rewriteBlocks(db: Db, segment: number, gone: ReadonlySet<number>): Promise<void> {
  const changed = (await readBlocks(db, [segment])).flatMap((block) => {
    const left = blockWithout(block, gone)
    return left === block ? [] : [{ first: block.first, left }]
  })
  await rowsOf(db, 'DELETE FROM search_blocks WHERE segment = $1 AND first = ANY ($2::text[])', [
    segment,
    changed.map(({ first }) => first),
  ])
  await insertBlocks(
    db,
    segment,
    changed.flatMap(({ left }) => left ?? []),
  )
}

type BlockRow = TermBlock & { readonly segment: number }

function readBlocks(db: Db, segments: readonly number[]): Promise<BlockRow[]> {
  const sql = 'SELECT segment, first, terms, lists FROM search_blocks WHERE segment = ANY ($1) ORDER BY segment, first'
  return rowsOf<BlockRow>(db, sql, [segments])
}

async function insertSegment(db: Db, owner: string, segment: Segment, count: number): Promise<void> {
  const sql = 'INSERT INTO search_segments (owner, sessions, docs, count) VALUES ($1, $2, $3, $4) RETURNING id'
  const values = [owner, JSON.stringify(segment.sessions), segment.docs, count]
  const [row] = await rowsOf<{ id: number }>(db, sql, values)
  if (row !== undefined) await insertBlocks(db, row.id, segment.blocks)
}

/** Rows of one statement. */
const CHUNK = 200

async function insertBlocks(db: Db, segment: number, blocks: readonly TermBlock[]): Promise<void> {
  for (let i = 0; i < blocks.length; i += CHUNK) {
    const some = blocks.slice(i, i + CHUNK)
    await rowsOf(db, INSERT_BLOCKS, [
      segment,
      some.map(({ first }) => first),
      some.map(({ terms }) => terms),
      some.map(({ lists }) => lists),
    ])
  }
}

const INSERT_BLOCKS = `
  INSERT INTO search_blocks (segment, first, terms, lists) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[])`

/**
 * Merges some segments of one owner inside the caller's transaction. False if there is nothing to merge, or if the segments
 * were changed meanwhile; then nothing is merged. Other work is done between its steps.
 */
export async function mergeSegments(db: Db, signal: AbortSignal): Promise<boolean> {
  const sizes = await rowsOf<Pick<SegmentRow, 'id' | 'owner' | 'count'>>(
    db,
    'SELECT id, owner, count FROM search_segments',
  )
  const ids = [...Map.groupBy(sizes, ({ owner }) => owner).values()].map(nextMerge).find(({ length }) => length > 0)
  if (ids === undefined) return false
  const sql = 'SELECT id, owner, sessions, docs, count, gone FROM search_segments WHERE id = ANY ($1) ORDER BY id'
  const segments = await rowsOf<SegmentRow>(db, sql, [ids])
  const blocks = Map.groupBy(await readBlocks(db, ids), ({ segment }) => segment)
  const sources = segments.map((row): Source => ({ ...row, gone: new Set(row.gone), blocks: blocks.get(row.id) ?? [] }))
  const segment = await withRests(merged(sources), signal)
  await rowsOf(db, 'SELECT pg_advisory_xact_lock($1)', [FORGETTING])
  const now = await rowsOf<SegmentRow>(db, sql, [ids])
  if (stateOf(now) !== stateOf(segments)) return false
  const count = segments.reduce((sum, row) => sum + row.count, 0)
  if (count > 0) await insertSegment(db, segments[0]?.owner ?? '', segment, count)
  await rowsOf(db, 'DELETE FROM search_segments WHERE id = ANY ($1)', [ids])
  return true
}

/** Segments change only by documents that go. */
function stateOf(segments: readonly SegmentRow[]): string {
  return JSON.stringify(segments.map(({ id, gone }) => [id, gone]))
}

/** How long a merge works before other work of this process is done. */
const WORK_MS = 8

async function withRests<T>(work: Generator<undefined, T>, signal: AbortSignal): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < WORK_MS) continue
    await rest()
    signal.throwIfAborted()
    began = performance.now()
  }
}

/** The entries that wait to be indexed, up to a number. */
export async function waitingState(db: Db, of: Readable = EVERYTHING): Promise<WaitingState> {
  const [row] = await rowsOf<WaitingState>(db, STATE, [...of, MOST_WAITING + 1])
  return row ?? { entries: 0, bytes: 0, is_stale: false }
}

/** How many entries wait to be indexed. */
export async function countWaiting(db: Db, of: Readable): Promise<number> {
  const [row] = await rowsOf<{ entries: number }>(db, COUNT, of)
  return row?.entries ?? 0
}

/** A search reads this many entries that wait. With more it waits until some are indexed. */
export const MOST_WAITING = 200
const MOST_WAITING_BYTES = 500_000

export type WaitingState = { readonly entries: number; readonly bytes: number; readonly is_stale: boolean }

/** True when a search has to wait, because too many entries are not indexed, or texts that were removed are. */
export function isBehind({ entries, bytes, is_stale }: WaitingState): boolean {
  return is_stale || entries > MOST_WAITING || (bytes > MOST_WAITING_BYTES && entries > 1)
}

const STATE = `
  SELECT count(*) AS entries, coalesce(sum(octet_length(e.body)), 0)::bigint AS bytes, coalesce(bool_or(w.is_stale), false) AS is_stale
  FROM (
    SELECT w.session_id, w.seq, w.is_stale FROM search_waiting w LEFT JOIN sessions s ON s.id = w.session_id
    WHERE ${IS_READABLE} LIMIT $4
  ) AS w
  LEFT JOIN entries e ON e.session_id = w.session_id AND e.seq = w.seq`

const COUNT = `
  SELECT count(*) AS entries FROM search_waiting w LEFT JOIN sessions s ON s.id = w.session_id WHERE ${IS_READABLE}`

/** True while the search by pieces of text answers: until the entries that it has are in the index of words. */
export async function hasSearchTexts(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ has: boolean }>(db, `SELECT to_regclass('search_texts_folded') IS NOT NULL AS has`)
  return row?.has === true
}

export async function endSearchTexts(db: Db): Promise<void> {
  await rowsOf(db, 'SELECT pith_end_search_texts()')
}
