import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../model/entry.ts'
import { searchText } from '../search-text.ts'
import { readStoredEntry, type StoredEntry } from '../stored-entry.ts'
import { inLightTransaction } from './database.ts'
import { prepared } from './prepared.ts'

/**
 * How many rows wait until they are indexed. Indexing one costs as much as storing it, indexing many together far less.
 * A search looks through the waiting rows one by one.
 */
const BATCH = 128

/** Rows that come without a pause are indexed when this many wait. */
const MOST = 4 * BATCH

/** How long after a write the index is updated: by then the writer waits for something else. */
const PAUSE_MS = 250

/** Indexes new rows in the pauses between writes. */
export class SearchIndexer {
  readonly #database: DatabaseSync
  #timer: NodeJS.Timeout | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Call it after every write. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.#look(), PAUSE_MS).unref()
  }

  /** Does the work that waits for a pause. */
  close(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#look()
  }

  #look(): void {
    this.#timer = undefined
    if (!this.#database.isOpen) return
    try {
      // After a crash of the machine these rows may wait again.
      if (isIndexDue(this.#database)) inLightTransaction(this.#database, () => indexWaiting(this.#database))
    } catch {
      // Locked, or a full disk: a search finds the rows all the same, and the next write tries again.
    }
  }
}

/**
 * Indexes a large append at once; `SearchIndexer` does the rest. Rows are numbered without a gap, so nearly every append
 * knows from its numbers alone that it need not index.
 */
export function indexNewRows(database: DatabaseSync, before: number, last: number): void {
  const isBorder = Math.floor(before / MOST) !== Math.floor(last / MOST)
  if (last - before >= BATCH || (isBorder && last - indexedUpTo(database) >= MOST)) indexWaiting(database)
}

/** True when enough rows wait. */
function isIndexDue(database: DatabaseSync): boolean {
  const last = Number(prepared(database, 'SELECT max(row) AS row FROM entries').get()?.row ?? 0)
  return last - indexedUpTo(database) >= BATCH
}

/** Indexes all rows that wait, in the caller's transaction. */
function indexWaiting(database: DatabaseSync): void {
  const rows = prepared(database, 'SELECT row, seq, body, facts FROM entries WHERE row > ? ORDER BY row')
  let last = 0
  for (const found of rows.iterate(indexedUpTo(database)) as Iterable<StoredEntry & { row: number; seq: number }>) {
    const entry = readStoredEntry(found, found.seq)
    if (typeof entry !== 'string') index(database, found.row, entry)
    last = found.row
  }
  if (last > 0) prepared(database, 'UPDATE search_progress SET indexed = ?').run(last)
}

/** Indexes an entry that was overwritten: its old text is no longer found. */
export function indexAgain(database: DatabaseSync, row: number, entry: Entry): void {
  if (row > indexedUpTo(database)) return
  forget(database, row)
  index(database, row, entry)
}

/** Takes a row out of the index. */
export function forget(database: DatabaseSync, row: number): void {
  prepared(database, 'DELETE FROM search WHERE rowid = ?').run(row)
  marked.add(database)
}

/** The index only marks a row as deleted: the databases that still have the pieces of its text. */
const marked = new WeakSet<DatabaseSync>()

/** Writes the index anew if texts were taken out of it. That takes seconds where there are hundreds of megabytes. */
export function rewriteIndex(database: DatabaseSync): void {
  if (!marked.delete(database)) return
  database.exec("INSERT INTO search (search) VALUES ('optimize')")
}

function indexedUpTo(database: DatabaseSync): number {
  return Number(prepared(database, 'SELECT indexed FROM search_progress').get()?.indexed ?? 0)
}

function index(database: DatabaseSync, row: number, entry: Entry): void {
  const text = searchText(entry).replaceAll('\0', '')
  if (text !== '') prepared(database, 'INSERT INTO search (rowid, text) VALUES (?, ?)').run(row, text)
}
