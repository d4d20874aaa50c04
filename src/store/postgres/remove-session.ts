import type { Seq } from '../../model/ids.ts'
import type { DeleteResult, SessionId } from '../store.ts'
import { forgetAccount } from './accounts.ts'
import { forgetChainMarks } from './chains.ts'
import { type Db, rowsOf } from './connection.ts'
import { lockSession } from './rows.ts'
import { forgetSummaries } from './summaries.ts'

/** Deletes a session inside the caller's transaction. The entries that forks share stay, hidden. */
export async function removeSession(db: Db, id: SessionId): Promise<DeleteResult> {
  const row = await lockSession(db, id)
  await rowsOf(db, 'UPDATE sessions SET hidden = true WHERE id = $1', [row.id])
  await rowsOf(db, 'DELETE FROM leases WHERE session_id = $1', [row.id])
  await rowsOf(db, 'DELETE FROM pauses WHERE session_id = $1', [row.id])
  await rowsOf(db, 'DELETE FROM append_keys WHERE session_id = $1', [row.id])
  await rowsOf(db, 'DELETE FROM signals WHERE session_id = $1', [row.id])
  await forgetSummaries(db, row.id)
  await forgetAccount(db, row.id)
  await forgetChainMarks(db, row.id)
  const entries = await prune(db, row.id, row.parent_id)
  const sql = 'SELECT count(*) AS count FROM entries WHERE session_id = $1'
  const [kept] = await rowsOf<{ count: number }>(db, sql, [row.id])
  return { entries, keptForForks: kept?.count ?? 0 }
}

/** Deletes the entries of a hidden session that no fork needs, then those of its hidden ancestors; counts its own. */
async function prune(db: Db, id: SessionId, parentId: SessionId | null): Promise<number> {
  const shared = await sharedUpTo(db, id)
  const deleted = await rowsOf(db, 'DELETE FROM entries WHERE session_id = $1 AND seq > $2 RETURNING seq', [
    id,
    shared ?? 0,
  ])
  if (shared === undefined) await rowsOf(db, 'DELETE FROM sessions WHERE id = $1', [id])
  if (parentId !== null) await pruneHidden(db, parentId)
  return deleted.length
}

async function pruneHidden(db: Db, id: SessionId): Promise<void> {
  const sql = 'SELECT hidden, parent_id FROM sessions WHERE id = $1 FOR UPDATE'
  const [row] = await rowsOf<{ hidden: boolean; parent_id: string | null }>(db, sql, [id])
  if (row?.hidden === true) await prune(db, id, row.parent_id)
}

/** The last entry that a fork, or a fork of a fork, still shares; undefined when there is no fork. */
async function sharedUpTo(db: Db, id: SessionId): Promise<Seq | undefined> {
  const [row] = await rowsOf<{ shared: number | null }>(db, SHARED, [id])
  return row?.shared ?? undefined
}

const SHARED = `
  WITH RECURSIVE fork (id, hidden, shared) AS (
    SELECT id, hidden, parent_seq FROM sessions WHERE parent_id = $1
    UNION ALL
    SELECT s.id, s.hidden, least(s.parent_seq, fork.shared) FROM sessions s JOIN fork ON s.parent_id = fork.id
  )
  SELECT max(shared) AS shared FROM fork WHERE NOT hidden`
