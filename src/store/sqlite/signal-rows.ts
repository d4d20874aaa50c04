import { SIGNAL_MS, type Signal, type StoredSignal } from '../store.ts'
import type { Database } from './database.ts'
import type { RowSource } from './row-feed.ts'

/** The rows of signals, for receivers. */
export const SIGNAL_ROWS: RowSource<StoredSignal> = {
  newest: 'SELECT max(id) AS row FROM signals',
  after: 'SELECT id AS row, session_id, kind, body FROM signals WHERE id > ? ORDER BY id',
  valueOf: ({ row, session_id, kind, body }) => ({
    row: Number(row),
    session: String(session_id),
    kind: String(kind),
    body: String(body),
  }),
}

/** Stores a signal, and deletes those that nobody has served in time. */
export function insertSignal(database: Database, { session, kind, body }: Signal, now: number): void {
  database.prepared('DELETE FROM signals WHERE at < ?').run(now - SIGNAL_MS)
  const sql = 'INSERT INTO signals (session_id, kind, body, at) VALUES (?, ?, ?, ?)'
  database.prepared(sql).run(session, kind, body, now)
}

/** Deletes a signal that was served. */
export function deleteSignal(database: Database, row: number): void {
  database.prepared('DELETE FROM signals WHERE id = ?').run(row)
}
