import type { Seq } from '../../model/types.ts'
import { BESIDE_LOG } from '../rows/table-rows.ts'
import { type DeleteMeasure, type DeleteResult, type SessionId, type StoreDeps, TASK_HOLDER } from '../store.ts'
import { type Db, lockSession, rowsOf, storable } from './connection.ts'
import { forgetDocs } from './search-index.ts'

/** Deletes a session inside the caller's transaction. The entries that forks share stay, hidden. */
export async function removeSession(db: Db, id: SessionId): Promise<DeleteResult> {
  const row = await lockSession(db, id)
  await rowsOf(db, 'UPDATE sessions SET hidden = true WHERE id = $1', [row.id])
  for (const table of BESIDE_LOG) await rowsOf(db, `DELETE FROM ${table} WHERE session_id = $1`, [row.id])
  const removed = await prune(db, row.id, row.parent_id)
  const sql = 'SELECT count(*) AS count FROM entries WHERE session_id = $1'
  const [kept] = await rowsOf<{ count: number }>(db, sql, [row.id])
  return { ...removed, keptForForks: kept?.count ?? 0 }
}

/** The same, unless somebody has used the session since this time or uses it now. */
export async function removeUnused(
  db: Db,
  deps: StoreDeps,
  id: SessionId,
  since: number,
): Promise<DeleteResult | undefined> {
  // The lock comes first: an append or a lease that is being written then waits, or is seen by the next statement.
  await rowsOf(db, 'SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [storable(id)])
  const [unused] = await rowsOf<{ id: SessionId }>(db, UNUSED, [storable(id), since, deps.clock()])
  return unused === undefined ? undefined : removeSession(db, unused.id)
}

const UNUSED = `
  SELECT id FROM sessions WHERE id = $1 AND NOT hidden AND updated_at <= $2
    AND NOT EXISTS (SELECT 1 FROM leases WHERE session_id = $1 AND expires_at > $3)`

type Removed = Pick<DeleteResult, 'entries' | 'bytes'>

/** Deletes the entries of a hidden session that no fork needs, then those of its hidden ancestors. */
async function prune(db: Db, id: SessionId, parentId: SessionId | null): Promise<Removed> {
  const shared = await sharedUpTo(db, id)
  const ofTasks = shared === undefined ? await removeTasks(db, id) : NOTHING
  const sql = `DELETE FROM entries WHERE session_id = $1 AND seq > $2 RETURNING session_id, seq, ${BYTES} AS bytes`
  const deleted = await rowsOf<{ session_id: SessionId; seq: Seq; bytes: number }>(db, sql, [id, shared ?? 0])
  await forgetDocs(db, deleted)
  if (shared === undefined) await rowsOf(db, 'DELETE FROM sessions WHERE id = $1', [id])
  const earlier = parentId === null ? NOTHING : await pruneHidden(db, parentId)
  return {
    entries: deleted.length + ofTasks.entries + earlier.entries,
    bytes: deleted.reduce((sum, { bytes }) => sum + bytes, ofTasks.bytes + earlier.bytes),
  }
}

/** Deletes the sessions of sub-agents that this session started. Each deletion looks at the others again, so one is read at a time. */
async function removeTasks(db: Db, id: SessionId): Promise<Removed> {
  const sql = `SELECT id FROM sessions WHERE parent_id = $1 AND NOT hidden AND ${IS_TASK} LIMIT 1`
  let removed = NOTHING
  for (;;) {
    const [task] = await rowsOf<{ id: SessionId }>(db, sql, [id])
    if (task === undefined) return removed
    const { entries, bytes } = await removeSession(db, task.id)
    removed = { entries: removed.entries + entries, bytes: removed.bytes + bytes }
  }
}

const IS_TASK = `id IN (SELECT session_id FROM chain_holders WHERE holder = '${TASK_HOLDER}')`
const NOTHING: Removed = { entries: 0, bytes: 0 }
const BYTES = 'octet_length(body) + coalesce(octet_length(facts), 0)'

async function pruneHidden(db: Db, id: SessionId): Promise<Removed> {
  const sql = 'SELECT hidden, parent_id FROM sessions WHERE id = $1 FOR UPDATE'
  const [row] = await rowsOf<{ hidden: boolean; parent_id: string | null }>(db, sql, [id])
  return row?.hidden === true ? prune(db, id, row.parent_id) : NOTHING
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
  SELECT max(shared) AS shared FROM fork WHERE NOT hidden AND NOT ${IS_TASK}`

/** Counts the entries that a deletion of all these sessions would remove and keep. */
export async function readDeletion(db: Db, ids: readonly SessionId[]): Promise<DeleteMeasure> {
  const rows = await rowsOf<MeasureRow>(db, MEASURE, [ids.map(storable)])
  const wanted = new Set(ids)
  return {
    entries: rows.reduce((sum, { entries }) => sum + entries, 0),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    kept: rows.flatMap(({ session, kept }) => (kept > 0 && wanted.has(session) ? [{ session, entries: kept }] : [])),
  }
}

type MeasureRow = {
  readonly session: SessionId
  readonly entries: number
  readonly bytes: number
  readonly kept: number
}

/** A session that was deleted before may lose entries, too: those that were kept for these sessions. */
const MEASURE = `
  WITH RECURSIVE gone (id) AS (
    SELECT id FROM sessions WHERE hidden OR id = ANY ($1::text[])
      OR (parent_id = ANY ($1::text[]) AND ${IS_TASK})
  ), fork (root, id, shared) AS (
    SELECT parent_id, id, parent_seq FROM sessions WHERE parent_id IN (SELECT id FROM gone)
    UNION ALL
    SELECT fork.root, s.id, least(s.parent_seq, fork.shared) FROM sessions s JOIN fork ON s.parent_id = fork.id
  ), shared (root, seq) AS (
    SELECT root, max(shared) FROM fork WHERE id NOT IN (SELECT id FROM gone) GROUP BY root
  )
  SELECT gone.id AS session,
    count(*) FILTER (WHERE e.seq > coalesce(shared.seq, -1)) AS entries,
    coalesce(sum(${BYTES}) FILTER (WHERE e.seq > coalesce(shared.seq, -1)), 0)::bigint AS bytes,
    count(*) FILTER (WHERE e.seq <= shared.seq) AS kept
  FROM gone JOIN entries e ON e.session_id = gone.id LEFT JOIN shared ON shared.root = gone.id
  GROUP BY gone.id`

/** Those of these sessions that have a row: a deleted session keeps it while forks share its entries. */
export async function readStored(db: Db, ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
  const sql = 'SELECT id FROM sessions WHERE id = ANY ($1)'
  const rows = await rowsOf<{ id: SessionId }>(db, sql, [ids.map(storable)])
  return new Set(rows.map(({ id }) => id))
}
