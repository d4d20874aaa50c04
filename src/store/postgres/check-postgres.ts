import { type StoreCheck, StoreReading } from '../store-check.ts'
import { addressOf, createPool, rowsOf, withServerErrors } from './connection.ts'

const PAGE = 2_000

/** Reads a whole database without changing it. The server itself can check its pages (`pg_amcheck`). */
export async function checkPostgres(url: string): Promise<StoreCheck> {
  const reading = new StoreReading()
  const pool = createPool(url)
  try {
    await withServerErrors(addressOf(url), async () => {
      let last: EntryRow | undefined
      do {
        const rows: EntryRow[] = await rowsOf(pool, ENTRIES, [last?.session_id ?? '', last?.seq ?? 0, PAGE])
        for (const { session_id, seq, body, facts } of rows) reading.entry(session_id, seq, body, facts)
        last = rows.at(-1)
      } while (last !== undefined)
      for (const { id, last_seq, parent_seq } of await rowsOf<SessionRow>(pool, SESSIONS))
        reading.session(id, last_seq, parent_seq ?? 0)
    })
  } finally {
    await pool.end()
  }
  return reading.check
}

type EntryRow = { session_id: string; seq: number; body: string; facts: string | null }
type SessionRow = { id: string; last_seq: number; parent_seq: number | null }

const ENTRIES = `SELECT session_id, seq, body, facts FROM entries
  WHERE (session_id, seq) > ($1, $2) ORDER BY session_id, seq LIMIT $3`
const SESSIONS = 'SELECT id, last_seq, parent_seq FROM sessions WHERE NOT hidden'
