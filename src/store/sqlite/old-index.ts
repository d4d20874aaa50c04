import type { Entry } from '../../model/types.ts'
import { searchText } from '../../search/entry-doc.ts'
import type { Database } from './database.ts'

/*
 * The index of three letters at a time that databases had before the one of words. It answers until all entries of an old
 * database are in the new one, and is deleted then.
 */

/** How many rows of the old index are deleted or rewritten at once: about ten milliseconds of work. */
const SLICE_ROWS = 100

/** Removes a row from the index. It only marks the row as deleted, and has the pieces of its text until it is rewritten. */
export function forgetOld(database: Database, row: number): void {
  database.prepared('DELETE FROM search WHERE rowid = ?').run(row)
  database.prepared("UPDATE search_progress SET rewrite = 'due'").run()
}

/** Replaces the text of a row. */
export function indexOldAgain(database: Database, row: number, entry: Entry): void {
  forgetOld(database, row)
  const text = searchText(entry).replaceAll('\0', '')
  const isIndexed = row <= Number(database.prepared('SELECT indexed FROM search_progress').get()?.indexed)
  if (isIndexed && text !== '') database.prepared('INSERT INTO search (rowid, text) VALUES (?, ?)').run(row, text)
}

/** Rewrites a part of the index without the deleted rows. False when there is nothing to do. */
export function rewriteOldSlice(database: Database): boolean {
  if (!hasOldIndex(database)) return false
  const rewrite = database.prepared('SELECT rewrite FROM search_progress').get()?.rewrite
  if (rewrite === 'done') return false
  const changes = () => Number(database.prepared('SELECT total_changes() AS changes').get()?.changes)
  const before = changes()
  // In SQLite a negative number of pages starts with the whole index, and a positive one continues. If there is nothing to do, at most one row changes.
  database
    .prepared("INSERT INTO search (search, rank) VALUES ('merge', ?)")
    .run(rewrite === 'due' ? -SLICE_ROWS : SLICE_ROWS)
  const isMore = changes() - before >= 2
  database.prepared('UPDATE search_progress SET rewrite = ?').run(isMore ? 'begun' : 'done')
  return true
}

/** Deletes a part of the index, and at last its tables. False when there is none. */
export function dropOldSlice(database: Database): boolean {
  if (!hasOldIndex(database)) return false
  // SQLite protects the tables inside an index. Node before 24.12 does not ask it to.
  database.enableDefensive?.(false)
  try {
    const sql = 'DELETE FROM search_data WHERE id IN (SELECT id FROM search_data LIMIT ?)'
    if (database.prepared(sql).run(SLICE_ROWS).changes === 0n) dropOldIndex(database)
  } finally {
    database.enableDefensive?.(true)
  }
  return true
}

export function dropOldIndex(database: Database): void {
  database.exec('DROP TABLE search; DROP TABLE search_progress')
}

function hasOldIndex(database: Database): boolean {
  return database.prepared("SELECT 1 FROM sqlite_schema WHERE name = 'search_progress'").get() !== undefined
}
