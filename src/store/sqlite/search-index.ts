import type { Entry } from '../../model/types.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import { searchText } from '../search/search-text.ts'
import { type Database, inLightTransaction } from './database.ts'

/**
 * How many rows wait until they are indexed. Indexing one costs as much as storing it, indexing many together far less.
 * A search reads the waiting rows one by one.
 */
const BATCH = 128

/** Rows that come without a pause are indexed when this many wait. */
const MOST = 4 * BATCH

/** How long after a write the index is updated: by then the writer waits for something else. */
const PAUSE_MS = 250

/** How many pages of the index are rewritten at once: about ten milliseconds of work. */
const SLICE_PAGES = 100

/** The pause between two slices, in which other work can run. */
const SLICE_PAUSE_MS = 20

/** How long after a lock, or an error such as a full disk, the work is tried again. */
const RETRY_MS = 1_000

/** How long until the next part of the work; undefined when nothing is left to do. */
type Pause = typeof SLICE_PAUSE_MS | typeof RETRY_MS | undefined

/** Indexes new rows in the pauses between writes, and rewrites the index after a redaction. */
export class SearchIndexer {
  readonly #database: Database
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database) {
    this.#database = database
    // A process that was killed may have left unfinished work.
    this.soon()
  }

  /** Call it after every write. */
  soon(): void {
    this.#timer ??= this.#workIn(PAUSE_MS)
  }

  /** Call it after every redaction: the index is rewritten once, after the last of many. */
  afterRedaction(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#workIn(PAUSE_MS)
  }

  /** Does the work that waits for a pause. If a lock prevents it, the next process that has the file open does it. */
  close(): void {
    clearTimeout(this.#timer)
    let pause = this.#work()
    while (pause === SLICE_PAUSE_MS) pause = this.#work()
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
      // After a crash of the machine these rows may wait again.
      if (isIndexDue(this.#database)) inLightTransaction(this.#database, () => indexWaiting(this.#database))
      return rewriteOf(this.#database) === 'done' ? undefined : this.#rewrite()
    } catch {
      // Locked, or a full disk: a search finds the waiting rows, too.
      return RETRY_MS
    }
  }

  #rewrite(): Pause {
    if (inLightTransaction(this.#database, () => rewriteSlice(this.#database))) return SLICE_PAUSE_MS
    // The write-ahead log still has the pages that were replaced.
    if (!truncateLog(this.#database)) return RETRY_MS
    const isMore = inLightTransaction(this.#database, () => endRewrite(this.#database))
    return isMore ? SLICE_PAUSE_MS : undefined
  }
}

/**
 * Empties the write-ahead log into the database file: it has the texts that were overwritten. False when it could not,
 * because another process reads from the log or writes to it.
 */
export function truncateLog(database: Database): boolean {
  return database.prepared('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
}

/**
 * Indexes a large append at once; `SearchIndexer` does the rest. Rows are numbered without a gap, so nearly every append
 * knows from its numbers alone that it need not index.
 */
export function indexNewRows(database: Database, before: number, last: number): void {
  const isBorder = Math.floor(before / MOST) !== Math.floor(last / MOST)
  if (last - before >= BATCH || (isBorder && last - indexedUpTo(database) >= MOST)) indexWaiting(database)
}

/** True when enough rows wait. */
function isIndexDue(database: Database): boolean {
  const last = Number(database.prepared('SELECT max(row) AS row FROM entries').get()?.row ?? 0)
  return last - indexedUpTo(database) >= BATCH
}

/** Indexes all rows that wait, in the caller's transaction. */
function indexWaiting(database: Database): void {
  const rows = database.prepared('SELECT row, seq, body, facts FROM entries WHERE row > ? ORDER BY row')
  let last = 0
  for (const found of rows.iterate(indexedUpTo(database)) as Iterable<StoredEntry & { row: number; seq: number }>) {
    const entry = readStoredEntry(found, found.seq)
    if (typeof entry !== 'string') index(database, found.row, entry)
    last = found.row
  }
  if (last > 0) database.prepared('UPDATE search_progress SET indexed = ?').run(last)
}

/** Indexes an entry that was overwritten: its old text is no longer found. */
export function indexAgain(database: Database, row: number, entry: Entry): void {
  if (row > indexedUpTo(database)) return
  forget(database, row)
  index(database, row, entry)
}

/** Removes a row from the index. The index only marks it as deleted, and still has the pieces of its text. */
export function forget(database: Database, row: number): void {
  database.prepared('DELETE FROM search WHERE rowid = ?').run(row)
}

/** Notes, in the caller's transaction, that the pieces of removed texts must be deleted. */
export function rewriteLater(database: Database): void {
  database.prepared("UPDATE search_progress SET rewrite = 'due'").run()
}

/** Rewrites a part of the index, without the deleted rows. True while there is more to do. */
function rewriteSlice(database: Database): boolean {
  const changes = () => Number(database.prepared('SELECT total_changes() AS changes').get()?.changes)
  // In SQLite a negative number of pages starts with the whole index, and a positive one continues. If there is nothing to do, at most one row changes.
  const pages = rewriteOf(database) === 'due' ? -SLICE_PAGES : SLICE_PAGES
  const before = changes()
  database.prepared("INSERT INTO search (search, rank) VALUES ('merge', ?)").run(pages)
  const isMore = changes() - before >= 2
  database.prepared("UPDATE search_progress SET rewrite = 'begun'").run()
  return isMore
}

/** Notes that the index is rewritten, unless another process has redacted since. True while there is more to do. */
function endRewrite(database: Database): boolean {
  if (rewriteSlice(database)) return true
  database.prepared("UPDATE search_progress SET rewrite = 'done'").run()
  return false
}

function rewriteOf(database: Database): string {
  return String(database.prepared('SELECT rewrite FROM search_progress').get()?.rewrite)
}

function indexedUpTo(database: Database): number {
  return Number(database.prepared('SELECT indexed FROM search_progress').get()?.indexed ?? 0)
}

function index(database: Database, row: number, entry: Entry): void {
  const text = searchText(entry).replaceAll('\0', '')
  if (text !== '') database.prepared('INSERT INTO search (rowid, text) VALUES (?, ?)').run(row, text)
}
