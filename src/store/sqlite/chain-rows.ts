import type { ChainMark, ChainPlace, SessionId } from '../store.ts'
import type { Database } from './database.ts'

/** The places of these values, in sessions that are not deleted. */
export function selectChainPlaces(database: Database, values: readonly string[]): ChainPlace[] {
  const rows = database.prepared(PLACES).all(JSON.stringify(values))
  return rows.map(({ value, session, holder, seq, last }) => ({
    value: String(value),
    session: String(session),
    holder: String(holder),
    seq: Number(seq),
    isEnd: seq === last,
  }))
}

const PLACES = `
  SELECT value, session_id AS session, seq, holder,
    (SELECT max(seq) FROM chains AS all_marks WHERE all_marks.session_id = chains.session_id) AS last
  FROM chains JOIN chain_holders USING (session_id)
  WHERE value IN (SELECT value FROM json_each(?))`

/** Marks places of a session's log, inside the caller's transaction. */
export function insertChainMarks(database: Database, id: SessionId, marks: readonly ChainMark[], holder: string): void {
  const insert = database.prepared('INSERT OR REPLACE INTO chains (value, session_id, seq) VALUES (?, ?, ?)')
  for (const { value, seq } of marks) insert.run(value, id, seq)
  database.prepared('INSERT OR REPLACE INTO chain_holders (session_id, holder) VALUES (?, ?)').run(id, holder)
}

export function deleteChainMarks(database: Database, id: SessionId): void {
  database.prepared('DELETE FROM chains WHERE session_id = ?').run(id)
  database.prepared('DELETE FROM chain_holders WHERE session_id = ?').run(id)
}
