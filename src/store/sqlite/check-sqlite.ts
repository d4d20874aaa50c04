import { readlinkSync, realpathSync } from 'node:fs'
import { fileNames } from '../../config/places/file-names.ts'
import { PithError } from '../../model/problems/errors.ts'
import { type StoreCheck, StoreReading } from '../store-check.ts'
import { openToRead, withFileErrors } from './open-database.ts'

/** Reads a whole database without changing it: its pages with SQLite's own check, and every entry. */
export function checkSqlite(path: string): StoreCheck {
  const reading = new StoreReading()
  try {
    for (const pid of processesWithoutLog(path))
      reading.gap(`process ${pid} writes to a write-ahead log that was deleted: end it, what it stores is lost`)
    withFileErrors(path, () => readAll(path, reading))
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    reading.problem(error.message)
  }
  return reading.check
}

/** Processes that have a deleted write-ahead log of the database open. Only Linux shows that, and only of our own processes. */
function processesWithoutLog(path: string): string[] {
  const deleted = `${realpathSync(path)}-wal (deleted)`
  return fileNames('/proc').filter((pid) =>
    fileNames(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === deleted),
  )
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
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
