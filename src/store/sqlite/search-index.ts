import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../model/entry.ts'
import { searchText } from '../search-text.ts'
import { readStoredEntry, type StoredEntry } from '../stored-entry.ts'
import { prepared } from './prepared.ts'

/**
 * Rows that wait to be indexed. To index one costs as much as to store it, to index many together far less; a search
 * looks through those that wait one by one.
 */
const BATCH = 128

/** Entries that come without a pause are indexed when so many wait. */
const MOST = 4 * BATCH

/**
 * Indexes at once what comes in large numbers; `LaterIndex` does the rest. Rows are numbered without a gap: nearly every
 * append knows without a look at what waits that it is not the one to do it.
 */
export function indexNewRows(database: DatabaseSync, before: number, last: number): void {
  const isBorder = Math.floor(before / MOST) !== Math.floor(last / MOST)
  if (last - before >= BATCH || (isBorder && last - indexedUpTo(database) >= MOST)) indexWaiting(database)
}

/** True when enough rows wait. */
export function isIndexDue(database: DatabaseSync): boolean {
  const last = Number(prepared(database, 'SELECT max(row) AS row FROM entries').get()?.row ?? 0)
  return last - indexedUpTo(database) >= BATCH
}

/** Indexes all rows that wait, in the caller's transaction. */
export function indexWaiting(database: DatabaseSync): void {
  const rows = prepared(database, 'SELECT row, seq, body, facts FROM entries WHERE row > ? ORDER BY row')
  let last = 0
  for (const found of rows.iterate(indexedUpTo(database)) as Iterable<StoredEntry & { row: number; seq: number }>) {
    const entry = readStoredEntry(found, found.seq)
    if (typeof entry !== 'string') index(database, found.row, entry)
    last = found.row
  }
  if (last > 0) prepared(database, 'UPDATE search_progress SET indexed = ?').run(last)
}

/** An entry was overwritten: what it said is found no longer. */
export function indexAgain(database: DatabaseSync, row: number, entry: Entry): void {
  if (row > indexedUpTo(database)) return
  forget(database, row)
  index(database, row, entry)
}

/** Takes a row out of the index. */
export function forget(database: DatabaseSync, row: number): void {
  prepared(database, 'DELETE FROM search WHERE rowid = ?').run(row)
}

function indexedUpTo(database: DatabaseSync): number {
  return Number(prepared(database, 'SELECT indexed FROM search_progress').get()?.indexed ?? 0)
}

function index(database: DatabaseSync, row: number, entry: Entry): void {
  const text = searchText(entry).replaceAll('\0', '')
  if (text !== '') prepared(database, 'INSERT INTO search (rowid, text) VALUES (?, ?)').run(row, text)
}
