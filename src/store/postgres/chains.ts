import type { ChainMark, ChainPlace, SessionId } from '../store.ts'
import { type Db, lockSession, rowsOf, storable } from './connection.ts'

/** The places of these values, in sessions that are not deleted. */
export function readChainPlaces(db: Db, values: readonly string[]): Promise<ChainPlace[]> {
  return rowsOf<ChainPlace>(db, PLACES, [values.map(storable)])
}

const PLACES = `
  SELECT value, session_id AS session, seq, holder,
    seq = (SELECT max(seq) FROM chains all_marks WHERE all_marks.session_id = chains.session_id) AS "isEnd"
  FROM chains JOIN chain_holders USING (session_id)
  WHERE value = ANY($1::text[])`

/** Marks places of a session's log, inside the caller's transaction. */
export async function writeChainMarks(
  db: Db,
  id: SessionId,
  marks: readonly ChainMark[],
  holder: string,
): Promise<void> {
  const row = await lockSession(db, id)
  await rowsOf(db, INSERT_MARKS, [row.id, marks.map(({ value }) => storable(value)), marks.map(({ seq }) => seq)])
  await rowsOf(db, INSERT_HOLDER, [row.id, storable(holder)])
}

const INSERT_MARKS = `
  INSERT INTO chains (session_id, value, seq)
  SELECT DISTINCT ON (value) $1, value, seq FROM unnest($2::text[], $3::bigint[]) AS mark (value, seq)
  ON CONFLICT (value, session_id) DO UPDATE SET seq = excluded.seq`

const INSERT_HOLDER = `
  INSERT INTO chain_holders (session_id, holder) VALUES ($1, $2)
  ON CONFLICT (session_id) DO UPDATE SET holder = excluded.holder`

export async function forgetChainMarks(db: Db, id: SessionId): Promise<void> {
  await rowsOf(db, 'DELETE FROM chains WHERE session_id = $1', [id])
  await rowsOf(db, 'DELETE FROM chain_holders WHERE session_id = $1', [id])
}
