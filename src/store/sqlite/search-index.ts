import type { Entry } from '../../model/types.ts'
import { docOf } from '../../search/entry-doc.ts'
import { type NewDoc, segmentOf } from '../../search/segment.ts'
import type { KnownWords } from '../../search/terms.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import type { SessionId } from '../store.ts'
import { type Database, inLightTransaction } from './database.ts'
import { deleteGone, insertSegment, lastGone, markGone, segmentsToClean } from './index-rows.ts'
import { dropOldSlice, forgetOld, indexOldAgain, rewriteOldSlice } from './old-index.ts'
import { SegmentMerge, SLICE_MS } from './segment-merge.ts'

/** How many rows wait until they are indexed. Indexing many together costs far less than each by itself. A search reads the waiting rows. */
const BATCH = 64
const BATCH_BYTES = 256_000

/** Rows that come without a pause are indexed when this many wait. */
const MOST = 8 * BATCH

/** The most documents of a new segment. */
const SEGMENT_DOCS = 1_024

/** How long after a write the index is updated: by then the writer waits for something else. */
const PAUSE_MS = 250

/** The pause between two parts of the work, in which other work can run. */
const SLICE_PAUSE_MS = 20

/** How long after a lock, or an error such as a full disk, the work is tried again. */
const RETRY_MS = 1_000

/** How long a process that ends works for those after it, unless there are words of redacted entries. */
const CLOSE_MS = 100

/** How long until the next part of the work; undefined when nothing is left to do. */
type Pause = typeof SLICE_PAUSE_MS | typeof RETRY_MS | undefined

/** Indexes new rows in the pauses between writes, merges segments, and removes the words of redacted entries. */
export class SearchIndexer {
  readonly #database: Database
  readonly #segments: SegmentMerge
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database) {
    this.#database = database
    this.#segments = new SegmentMerge(database)
    // A process that was killed may have left unfinished work.
    this.soon()
  }

  /** Call it after every write. */
  soon(): void {
    this.#timer ??= this.#workIn(PAUSE_MS)
  }

  /** Call it after every redaction: segments are replaced once, after the last of many. */
  afterRedaction(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#workIn(PAUSE_MS)
  }

  /** Does the work that waits for a pause. If a lock prevents it, the next process that has the file open does it. */
  close(): void {
    clearTimeout(this.#timer)
    const until = performance.now() + CLOSE_MS
    let pause = this.#work()
    while (pause === SLICE_PAUSE_MS && (performance.now() < until || lastGone(this.#database) > 0)) pause = this.#work()
  }

  #workIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const pause = this.#work()
      this.#timer = pause && this.#workIn(pause)
    }, ms).unref()
  }

  #work(): Pause {
    if (!this.#database.isOpen) return undefined
    try {
      return this.#slice()
    } catch {
      // Locked, or a full disk: a search finds the waiting rows, too.
      return RETRY_MS
    }
  }

  #slice(): Pause {
    const database = this.#database
    // After a crash of the machine all of this may have to be done again.
    const inLight = (work: () => boolean) => inLightTransaction(database, work)
    if (this.#segments.clean() || inLight(() => rewriteOldSlice(database))) return SLICE_PAUSE_MS
    if (isComplete(database) && inLight(() => dropOldSlice(database))) return SLICE_PAUSE_MS
    const isClean = lastGone(database) === 0 || endCleaning(database)
    if (this.#segments.merge()) return SLICE_PAUSE_MS
    if (isIndexDue(database)) {
      inLight(() => indexWaiting(database))
      return SLICE_PAUSE_MS
    }
    return isClean ? undefined : RETRY_MS
  }
}

/**
 * Empties the write-ahead log into the database file: it has the texts that were overwritten. False when it could not,
 * because another process reads from the log or writes to it.
 */
export function truncateLog(database: Database): boolean {
  database.checkLog()
  return database.prepared('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
}

/** Deletes the marks of entries that are gone, when no segment has their words any more. The write-ahead log has those of segments before. */
function endCleaning(database: Database): boolean {
  const last = lastGone(database)
  if (!truncateLog(database)) return false
  return inLightTransaction(database, () => {
    if (segmentsToClean(database).length > 0) return false
    deleteGone(database, last)
    return true
  })
}

type Progress = { readonly indexed: number; readonly complete: number }

function progressOf(database: Database): Progress {
  return database.prepared('SELECT indexed, complete FROM index_progress').get() as Progress
}

/** False for a database of an older version, until all of its entries are indexed. */
export function isComplete(database: Database): boolean {
  return progressOf(database).complete === 1
}

/**
 * Indexes a large append at once; `SearchIndexer` does the rest. Rows are numbered without a gap, so nearly every append
 * knows from its numbers alone that it need not index.
 */
export function indexNewRows(database: Database, before: number, last: number): void {
  const isBorder = Math.floor(before / MOST) !== Math.floor(last / MOST)
  if (last - before < BATCH && !isBorder) return
  const { indexed, complete } = progressOf(database)
  if (complete === 1 && last - indexed >= (isBorder ? MOST : BATCH)) indexWaiting(database)
}

/** True when enough rows wait, or long ones: every search reads them. */
function isIndexDue(database: Database): boolean {
  const sql = `SELECT complete, coalesce((SELECT max(row) FROM entries), 0) - indexed + (SELECT count(*) FROM index_again) AS waiting,
      (SELECT sum(octet_length(body)) FROM entries WHERE row > indexed) AS bytes
    FROM index_progress`
  const { complete, waiting, bytes } = database.prepared(sql).get() ?? {}
  return complete === 0 || Number(waiting) >= BATCH || Number(bytes) >= BATCH_BYTES
}

/**
 * Indexes all rows that wait, in the caller's transaction. Of a database that is not yet indexed it takes a few, and returns
 * true when more wait.
 */
export function indexWaiting(database: Database): boolean {
  const { indexed, complete } = progressOf(database)
  const until = complete === 1 ? Number.POSITIVE_INFINITY : performance.now() + SLICE_MS
  const known: KnownWords = new Map()
  let [last, isMore] = [indexed, false]
  let waiting: { owner: string; doc: NewDoc }[] = []
  for (const row of waitingRows(database, indexed)) {
    const doc = docOfRow(row, known)
    if (doc !== undefined) waiting.push({ owner: row.owner, doc })
    last = Math.max(last, row.row)
    if (waiting.length >= SEGMENT_DOCS) {
      insertDocs(database, waiting)
      waiting = []
    }
    isMore = row.row > indexed && performance.now() >= until
    if (isMore) break
  }
  insertDocs(database, waiting)
  database.prepared('DELETE FROM index_again WHERE row <= ?').run(last)
  database.prepared('UPDATE index_progress SET indexed = ?, complete = ?').run(last, isMore ? 0 : 1)
  return isMore
}

/** The documents of rows that wait, of some owners or of all. */
export function waitingDocs(database: Database, owners: readonly string[] | undefined): NewDoc[] {
  const known: KnownWords = new Map()
  const docs: NewDoc[] = []
  for (const row of waitingRows(database, progressOf(database).indexed)) {
    const doc = owners?.includes(row.owner) === false ? undefined : docOfRow(row, known)
    if (doc !== undefined) docs.push(doc)
  }
  return docs
}

/** How many rows wait, of some owners or of all. */
export function countWaitingRows(database: Database, owners: readonly string[] | undefined): number {
  const sql = `SELECT count(*) AS waiting FROM entries JOIN sessions ON sessions.id = entries.session_id
    WHERE row > ? AND (? IS NULL OR owner IN (SELECT value FROM json_each(?)))`
  const listed = owners === undefined ? null : JSON.stringify(owners)
  return Number(database.prepared(sql).get(progressOf(database).indexed, listed, listed)?.waiting ?? 0)
}

type WaitingRow = StoredEntry & {
  readonly row: number
  readonly session: SessionId
  readonly seq: number
  readonly owner: string
}

/** Those that were overwritten, then the new ones. */
function* waitingRows(database: Database, indexed: number): Generator<WaitingRow> {
  const from = `SELECT row, session_id AS session, seq, body, facts, owner
    FROM entries JOIN sessions ON sessions.id = entries.session_id`
  const again = database.prepared(`${from} WHERE row <= ? AND row IN (SELECT row FROM index_again) ORDER BY row`)
  yield* again.all(indexed) as WaitingRow[]
  yield* database.prepared(`${from} WHERE row > ? ORDER BY row`).iterate(indexed) as Iterable<WaitingRow>
}

function docOfRow(row: WaitingRow, known: KnownWords): NewDoc | undefined {
  const entry = readStoredEntry(row, row.seq)
  return typeof entry === 'string' ? undefined : docOf(row.session, entry, known)
}

function insertDocs(database: Database, waiting: readonly { owner: string; doc: NewDoc }[]): void {
  for (const [owner, own] of Map.groupBy(waiting, (one) => one.owner)) {
    insertSegment(database, owner, segmentOf(own.map(({ doc }) => doc)))
  }
}

/** Indexes an entry that was overwritten: its old text is no longer found. */
export function indexAgain(database: Database, session: SessionId, row: number, entry: Entry): void {
  markGone(database, session, entry.seq, entry.seq)
  const { indexed, complete } = progressOf(database)
  if (complete === 0) indexOldAgain(database, row, entry)
  if (row <= indexed) database.prepared('INSERT OR IGNORE INTO index_again (row) VALUES (?)').run(row)
}

/** Takes the entries of a session from `first` on out of the index. `rows` are their rows. */
export function forget(database: Database, session: SessionId, first: number, rows: readonly number[]): void {
  markGone(database, session, first, Number.MAX_SAFE_INTEGER)
  if (!isComplete(database)) for (const row of rows) forgetOld(database, row)
}
