import type { IndexReader } from '../../search/index-reader.ts'
import type { KeptSegments, SegmentDocs } from '../../search/kept-segments.ts'
import { readDocs, type Segment, type Source, type TermBlock } from '../../search/segment.ts'
import type { BlockTerms } from '../../search/term-table.ts'
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
  for (const row of rows as Iterable<SegmentRow>) {
    const sessions = JSON.parse(row.sessions) as string[]
    if (goneDocs(row.id, sessions, () => readDocs(row.docs), gone).length > 0) found.push(row.id)
  }
  return found
}

function selectGone(database: Database): ReadonlyMap<string, readonly Gone[]> {
  const rows = database.prepared('SELECT session, first_seq AS first, last_seq AS last, segment FROM index_gone').all()
  return Map.groupBy(rows as (Gone & { session: string })[], ({ session }) => session)
}

type Marks = ReadonlyMap<string, readonly Gone[]>

/** The documents of a segment that marks name. Most segments have none, so their documents are not even read. */
function goneDocs(id: number, sessions: readonly string[], docs: () => SegmentDocs['docs'], marks: Marks): number[] {
  const here = sessions.map((session) => (marks.get(session) ?? []).filter(({ segment }) => id <= segment))
  if (here.every(({ length }) => length === 0)) return []
  const { count, session, seq } = docs()
  const found: number[] = []
  // A session may have thousands of marks.
  const single = here.map((some) => new Set(some.flatMap(({ first, last }) => (first === last ? [first] : []))))
  const ranges = here.map((some) => some.filter(({ first, last }) => first !== last))
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
    const { docs } = row as SegmentRow
    const sessions = JSON.parse((row as SegmentRow).sessions) as string[]
    const sql = 'SELECT first, terms, lists FROM index_blocks WHERE segment = ? ORDER BY first'
    const blocks = database.prepared(sql).all(id) as TermBlock[]
    return [{ sessions, docs, gone: new Set(goneDocs(id, sessions, () => readDocs(docs), gone)), blocks }]
  })
  return sources.length === ids.length ? sources : undefined
}

/** The stored index of some owners; of all, if none is named. `run` repeats work while the file is locked. */
export function storedIndex(
  database: Database,
  kept: KeptSegments,
  owners: readonly string[] | undefined,
  run: <T>(work: () => T) => Promise<T> = async (work) => work(),
): IndexReader {
  const of = owners === undefined ? '' : 'WHERE owner IN (SELECT value FROM json_each(?))'
  const values = owners === undefined ? [] : [JSON.stringify(owners)]
  const listed = (ids: readonly number[], sql: string) => run(() => database.prepared(sql).all(JSON.stringify(ids)))
  return kept.reader({
    heads: () =>
      run(() => {
        const marks = selectGone(database)
        const rows = database.prepared(`SELECT id FROM index_segments ${of}`).all(...values) as { id: number }[]
        return rows.map(({ id }) => ({
          id,
          version: 0,
          goneIn: ({ sessions, docs }: SegmentDocs) => goneDocs(id, sessions, () => docs, marks),
        }))
      }),
    there: async (ids) => {
      const rows = await listed(ids, `SELECT id FROM index_segments WHERE id IN ${LISTED}`)
      return rows.map(({ id }) => Number(id))
    },
    bodies: async (ids) => {
      const rows = await listed(ids, `SELECT id, sessions, docs FROM index_segments WHERE id IN ${LISTED}`)
      return (rows as SegmentRow[]).map((row) => ({ ...row, sessions: JSON.parse(row.sessions) as string[] }))
    },
    blocks: (ids, terms) => run(() => blocksOf(database, ids, terms)),
    terms: async (ids) => {
      const rows = await listed(
        ids,
        `SELECT segment, first, terms FROM index_blocks WHERE segment IN ${LISTED} ORDER BY segment, first`,
      )
      return rows as (BlockTerms & { readonly segment: number })[]
    },
    lists: (segment, firsts) => run(() => listsOf(database, segment, firsts)),
  })
}

const LISTED = '(SELECT value FROM json_each(?))'

/** For each term the one block of each segment that may have it. */
function blocksOf(database: Database, segments: readonly number[], terms: readonly string[]): BlockRow[] {
  const place = database.prepared(
    'SELECT id FROM index_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  )
  const block = database.prepared('SELECT segment, first, terms, lists FROM index_blocks WHERE id = ?')
  const found = new Set<number>()
  for (const id of segments) {
    for (const term of terms) {
      const at = place.get(id, term)?.id
      if (at !== undefined) found.add(Number(at))
    }
  }
  return [...found].map((at) => block.get(at) as BlockRow)
}

type BlockRow = TermBlock & { readonly segment: number }
type ListsRow = { readonly first: string; readonly lists: Uint8Array }

function listsOf(database: Database, segment: number, firsts: readonly string[]): ListsRow[] {
  const sql = `SELECT first, lists FROM index_blocks WHERE segment = ? AND first IN ${LISTED}`
  return database.prepared(sql).all(segment, JSON.stringify(firsts)) as ListsRow[]
}
