import type { IndexReader, StoredBlock, StoredSegment } from '../../search/rank.ts'
import { readDocs, type Segment, type Source, type TermBlock } from '../../search/segment.ts'
import type { Database } from './database.ts'

/** A segment without its bytes. */
export type SegmentSize = { readonly id: number; readonly owner: string; readonly count: number }

/** Adds a segment, in the caller's transaction. */
export function insertSegment(database: Database, owner: string, { sessions, docs, blocks }: Segment): void {
  const { count } = readDocs(docs)
  if (count === 0) return
  const added = database
    .prepared('INSERT INTO index_segments (owner, sessions, count, docs) VALUES (?, ?, ?, ?)')
    .run(owner, JSON.stringify(sessions), count, docs)
  const insert = database.prepared('INSERT INTO index_blocks (segment, first, terms, lists) VALUES (?, ?, ?, ?)')
  for (const { first, terms, lists } of blocks) insert.run(added.lastInsertRowid, first, terms, lists)
}

export function deleteSegments(database: Database, ids: readonly number[]): void {
  for (const id of ids) {
    database.prepared('DELETE FROM index_blocks WHERE segment = ?').run(id)
    database.prepared('DELETE FROM index_segments WHERE id = ?').run(id)
  }
}

export function segmentSizes(database: Database): SegmentSize[] {
  return database.prepared('SELECT id, owner, count FROM index_segments ORDER BY id').all() as SegmentSize[]
}

/** Changes with every segment that is added or replaced. */
export function indexState(database: Database): string {
  return JSON.stringify(database.prepared('SELECT max(id), count(*) FROM index_segments').get())
}

/** Notes that entries of a session are gone: searches leave them out at once, the segments are replaced later. */
export function markGone(database: Database, session: string, first: number, last: number): void {
  const sql = `INSERT INTO index_gone (session, first_seq, last_seq, segment)
    SELECT ?, ?, ?, max(id) FROM index_segments HAVING max(id) IS NOT NULL`
  database.prepared(sql).run(session, first, last)
}

/** The number of the last mark; 0 if there is none. */
export function lastGone(database: Database): number {
  return Number(database.prepared('SELECT max(id) AS id FROM index_gone').get()?.id ?? 0)
}

export function deleteGone(database: Database, upTo: number): void {
  database.prepared('DELETE FROM index_gone WHERE id <= ?').run(upTo)
}

type Gone = { readonly first: number; readonly last: number; readonly segment: number }

type SegmentRow = { readonly id: number; readonly sessions: string; readonly docs: Uint8Array }

/** Segments that still have words of entries that are gone, the oldest first. */
export function segmentsToClean(database: Database): number[] {
  const gone = selectGone(database)
  if (gone.size === 0) return []
  const rows = database.prepared('SELECT id, sessions, docs FROM index_segments ORDER BY id').iterate()
  const found: number[] = []
  for (const row of rows as Iterable<SegmentRow>) if (storedSegment(row, gone).gone.length > 0) found.push(row.id)
  return found
}

function selectGone(database: Database): ReadonlyMap<string, readonly Gone[]> {
  const rows = database.prepared('SELECT session, first_seq AS first, last_seq AS last, segment FROM index_gone').all()
  return Map.groupBy(rows as (Gone & { session: string })[], ({ session }) => session)
}

function storedSegment(row: SegmentRow, gone: ReadonlyMap<string, readonly Gone[]>): StoredSegment {
  const sessions = JSON.parse(row.sessions) as string[]
  const marks = sessions.map((session) => (gone.get(session) ?? []).filter(({ segment }) => row.id <= segment))
  return {
    id: row.id,
    sessions,
    docs: row.docs,
    gone: marks.some((here) => here.length > 0) ? goneDocs(row, marks) : [],
  }
}

/** The documents that marks name. `marks` has those of each session of the segment. */
function goneDocs({ docs }: SegmentRow, marks: readonly (readonly Gone[])[]): number[] {
  const { count, session, seq } = readDocs(docs)
  const found: number[] = []
  // A session may have thousands of marks.
  const single = marks.map((here) => new Set(here.flatMap(({ first, last }) => (first === last ? [first] : []))))
  const ranges = marks.map((here) => here.filter(({ first, last }) => first !== last))
  for (let doc = 0; doc < count; doc++) {
    const [at, place] = [seq[doc] ?? 0, session[doc] ?? 0]
    const isGone = single[place]?.has(at) || ranges[place]?.some(({ first, last }) => first <= at && at <= last)
    if (isGone) found.push(doc)
  }
  return found
}

/** Segments as a merge needs them; undefined if one of them was replaced. */
export function readSources(database: Database, ids: readonly number[]): Source[] | undefined {
  const gone = selectGone(database)
  const sources = ids.flatMap((id): Source[] => {
    const row = database.prepared('SELECT id, sessions, docs FROM index_segments WHERE id = ?').get(id)
    if (row === undefined) return []
    const segment = storedSegment(row as SegmentRow, gone)
    const sql = 'SELECT first, terms, lists FROM index_blocks WHERE segment = ? ORDER BY first'
    const blocks = database.prepared(sql).all(id) as TermBlock[]
    return [{ sessions: segment.sessions, docs: segment.docs, gone: new Set(segment.gone), blocks }]
  })
  return sources.length === ids.length ? sources : undefined
}

/** The stored index of some owners; of all, if none is named. `run` repeats work while the file is locked. */
export function storedIndex(
  database: Database,
  owners: readonly string[] | undefined,
  run: <T>(work: () => T) => Promise<T> = async (work) => work(),
): IndexReader {
  const of = owners === undefined ? '' : 'WHERE owner IN (SELECT value FROM json_each(?))'
  const values = owners === undefined ? [] : [JSON.stringify(owners)]
  const ids = () => database.prepared(`SELECT id FROM index_segments ${of}`).all(...values) as { id: number }[]
  return {
    segments: () =>
      run(() => {
        const gone = selectGone(database)
        const rows = database.prepared(`SELECT id, sessions, docs FROM index_segments ${of}`).all(...values)
        return (rows as SegmentRow[]).map((row) => storedSegment(row, gone))
      }),
    blocks: (terms) => run(() => blocksOf(database, ids(), terms)),
    blocksWith: (parts) => run(() => ids().flatMap(({ id }) => blocksWith(database, id, parts))),
  }
}

/** For each term the one block of each segment that may have it. */
function blocksOf(database: Database, segments: readonly { id: number }[], terms: readonly string[]): StoredBlock[] {
  const place = database.prepared(
    'SELECT id FROM index_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  )
  const block = database.prepared('SELECT segment, first, terms, lists FROM index_blocks WHERE id = ?')
  const found = new Set<number>()
  for (const { id } of segments) {
    for (const term of terms) {
      const at = place.get(id, term)?.id
      if (at !== undefined) found.add(Number(at))
    }
  }
  return [...found].map((at) => block.get(at) as StoredBlock)
}

type TermsRow = { readonly id: number; readonly segment: number; readonly first: string; readonly terms: string }

/** The lists are most of the bytes, and of most blocks nobody needs them. */
function blocksWith(database: Database, segment: number, parts: readonly string[]): StoredBlock[] {
  const sql = `SELECT id, segment, first, terms FROM index_blocks
    WHERE segment = ? AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(terms, value) > 0)`
  const lists = database.prepared('SELECT lists FROM index_blocks WHERE id = ?')
  return (database.prepared(sql).all(segment, JSON.stringify(parts)) as TermsRow[]).map((row) => ({
    segment: row.segment,
    first: row.first,
    terms: row.terms,
    get lists() {
      return lists.get(row.id)?.lists as Uint8Array
    },
  }))
}
