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

/**
 * Indexes what was appended since the last time, once it is worth it. Rows are numbered without a gap: whoever appends
 * the last of a batch knows it without a look at what waits.
 */
export function indexNewRows(database: DatabaseSync, before: number, last: number): void {
  if (Math.floor(before / BATCH) === Math.floor(last / BATCH)) return
  const indexed = indexedUpTo(database)
  const rows = prepared(database, 'SELECT row, seq, body, facts FROM entries WHERE row > ? ORDER BY row')
  for (const found of rows.iterate(indexed) as Iterable<StoredEntry & { row: number; seq: number }>) {
    const entry = readStoredEntry(found, found.seq)
    if (typeof entry !== 'string') index(database, found.row, entry)
  }
  prepared(database, 'UPDATE search_progress SET indexed = ?').run(last)
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
