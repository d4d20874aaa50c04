import { PithError } from '../../model/problems/errors.ts'
import { type StoreCheck, StoreReading } from '../store-check.ts'
import { openToRead, withFileErrors } from './open-database.ts'

/** Reads a whole database without changing it: its pages with SQLite's own check, and every entry. */
export function checkSqlite(path: string): StoreCheck {
  const reading = new StoreReading()
  try {
    withFileErrors(path, () => readAll(path, reading))
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    reading.problem(error.message)
  }
  return reading.check
}

/** SQLite names the database of the connection, of which there is only one here. */
const SQLITE_HEADING = /^\*{3} in database main \*{3}\n/

function readAll(path: string, reading: StoreReading): void {
  const database = openToRead(path)
  try {
    for (const { integrity_check: line } of database.prepare('PRAGMA integrity_check(20)').iterate()) {
      if (line !== 'ok') reading.problem(String(line).replace(SQLITE_HEADING, ''))
    }
    const rows = database.prepare('SELECT session_id, seq, body, facts FROM entries ORDER BY session_id, seq')
    for (const { session_id, seq, body, facts } of rows.iterate())
      reading.entry(String(session_id), Number(seq), String(body), facts === null ? null : String(facts))
    const sessions = database.prepare('SELECT id, last_seq, parent_seq FROM sessions WHERE hidden = 0')
    for (const { id, last_seq, parent_seq } of sessions.iterate())
      reading.session(String(id), Number(last_seq), Number(parent_seq ?? 0))
  } finally {
    database.close()
  }
}
