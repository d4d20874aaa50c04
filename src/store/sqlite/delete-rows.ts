import { BESIDE_LOG } from '../rows/table-rows.ts'
import { type DeleteMeasure, type DeleteResult, type SessionId, TASK_HOLDER } from '../store.ts'
import type { Database } from './database.ts'
import { forget } from './search-index.ts'
import { IS_UNUSED } from './session-rows.ts'

/** Deletes a session. The entries that forks share stay, hidden, until the last fork is deleted. */
export function deleteSessionRows(database: Database, id: SessionId): DeleteResult {
  database.prepared('UPDATE sessions SET hidden = 1 WHERE id = ?').run(id)
  for (const table of BESIDE_LOG) database.prepared(`DELETE FROM ${table} WHERE session_id = ?`).run(id)
  database.prepared('UPDATE rows_given SET highest = max(highest, (SELECT coalesce(max(row), 0) FROM entries))').run()
  const removed = prune(database, id)
  const left = database.prepared('SELECT count(*) AS count FROM entries WHERE session_id = ?').get(id)
  return { ...removed, keptForForks: Number(left?.count ?? 0) }
}

/** The same, unless somebody has used the session since this time or uses it now. */
export function deleteUnusedRows(
  database: Database,
  id: SessionId,
  { since, now }: { readonly since: number; readonly now: number },
): DeleteResult | undefined {
  const sql = `SELECT 1 FROM sessions WHERE id = ? AND hidden = 0 AND ${IS_UNUSED}`
  if (database.prepared(sql).get(id, since, now) === undefined) return undefined
  return deleteSessionRows(database, id)
}

type Removed = Pick<DeleteResult, 'entries' | 'bytes'>

/** Deletes the entries of a hidden session that no fork needs, then those of its hidden ancestors. */
function prune(database: Database, id: SessionId): Removed {
  const shared = database.prepared(SHARED).get(id)?.shared ?? undefined
  const ofTasks = shared === undefined ? deleteTasks(database, id) : NOTHING
  const last = shared === undefined ? -1 : Number(shared)
  const doomed = database
    .prepared(`SELECT row, ${BYTES} AS bytes FROM entries WHERE session_id = ? AND seq > ?`)
    .all(id, last)
  const rows = doomed.map(({ row }) => Number(row))
  forget(database, id, last + 1, rows)
  const remove = database.prepared('DELETE FROM entries WHERE row = ?')
  for (const row of rows) remove.run(row)
  const own = {
    entries: rows.length + ofTasks.entries,
    bytes: doomed.reduce((sum, { bytes }) => sum + Number(bytes), ofTasks.bytes),
  }
  const parent = database
    .prepared('SELECT id FROM sessions WHERE hidden = 1 AND id = (SELECT parent_id FROM sessions WHERE id = ?)')
    .get(id)?.id
  if (shared === undefined) database.prepared('DELETE FROM sessions WHERE id = ?').run(id)
  if (parent === undefined) return own
  const { entries, bytes } = prune(database, String(parent))
  return { entries: own.entries + entries, bytes: own.bytes + bytes }
}

/** Deletes the sessions of sub-agents that this session started. */
function deleteTasks(database: Database, id: SessionId): Removed {
  const tasks = database.prepared(`SELECT id FROM sessions WHERE parent_id = ? AND hidden = 0 AND ${IS_TASK}`).all(id)
  return tasks
    .map((task) => deleteSessionRows(database, String(task.id)))
    .reduce((sum, { entries, bytes }) => ({ entries: sum.entries + entries, bytes: sum.bytes + bytes }), NOTHING)
}

const NOTHING: Removed = { entries: 0, bytes: 0 }
const IS_TASK = `id IN (SELECT session_id FROM chain_holders WHERE holder = '${TASK_HOLDER}')`

const BYTES = 'octet_length(body) + coalesce(octet_length(facts), 0)'

/** The last entry that a fork, or a fork of a fork, still shares; null when there is no fork. */
const SHARED = `
  WITH RECURSIVE fork (id, hidden, shared) AS (
    SELECT id, hidden, parent_seq FROM sessions WHERE parent_id = ?
    UNION ALL
    SELECT s.id, s.hidden, min(s.parent_seq, fork.shared) FROM sessions s JOIN fork ON s.parent_id = fork.id
  )
  SELECT max(shared) AS shared FROM fork WHERE hidden = 0 AND NOT ${IS_TASK}`

/** Counts the entries that a deletion of all these sessions would remove and keep. */
export function selectDeletion(database: Database, ids: readonly SessionId[]): DeleteMeasure {
  const rows = database.prepared(MEASURE).all(JSON.stringify(ids), JSON.stringify(ids))
  const wanted = new Set(ids)
  return {
    entries: rows.reduce((sum, { entries }) => sum + Number(entries), 0),
    bytes: rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    kept: rows.flatMap(({ session, kept }) =>
      Number(kept) > 0 && wanted.has(String(session)) ? [{ session: String(session), entries: Number(kept) }] : [],
    ),
  }
}

/** A session that was deleted before may lose entries, too: those that were kept for these sessions. */
const MEASURE = `
  WITH RECURSIVE gone (id) AS (
    SELECT id FROM sessions WHERE hidden = 1 OR id IN (SELECT value FROM json_each(?))
      OR (parent_id IN (SELECT value FROM json_each(?)) AND ${IS_TASK})
  ), fork (root, id, shared) AS (
    SELECT parent_id, id, parent_seq FROM sessions WHERE parent_id IN (SELECT id FROM gone)
    UNION ALL
    SELECT fork.root, s.id, min(s.parent_seq, fork.shared) FROM sessions s JOIN fork ON s.parent_id = fork.id
  ), shared (root, seq) AS (
    SELECT root, max(shared) FROM fork WHERE id NOT IN (SELECT id FROM gone) GROUP BY root
  )
  SELECT gone.id AS session,
    count(*) FILTER (WHERE e.seq > coalesce(shared.seq, -1)) AS entries,
    coalesce(sum(${BYTES}) FILTER (WHERE e.seq > coalesce(shared.seq, -1)), 0) AS bytes,
    count(*) FILTER (WHERE e.seq <= shared.seq) AS kept
  FROM gone JOIN entries e ON e.session_id = gone.id LEFT JOIN shared ON shared.root = gone.id
  GROUP BY gone.id`

/** Those of these sessions that have a row: a deleted session keeps it while forks share its entries. */
export function selectStored(database: Database, ids: readonly SessionId[]): ReadonlySet<SessionId> {
  const sql = 'SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))'
  return new Set(
    database
      .prepared(sql)
      .all(JSON.stringify(ids))
      .map(({ id }) => String(id)),
  )
}
