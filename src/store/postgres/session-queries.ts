import { PithError } from '../../model/problems/errors.ts'
import type { Seq } from '../../model/types.ts'
import { keyedId, sessionFrom } from '../rows/table-rows.ts'
import {
  type Session,
  type SessionDraft,
  type SessionId,
  type SessionPage,
  type SessionQuery,
  SIDE_HOLDER,
  type StoreDeps,
  TASK_HOLDER,
  unknownSession,
} from '../store.ts'
import {
  containing,
  type Db,
  folded,
  limitOf,
  lockSession,
  preparedRows,
  rowsOf,
  SESSION_COLUMNS,
  type SessionColumns,
  storable,
} from './connection.ts'
import { readSegments } from './read-entries.ts'

/** Creates a session inside the caller's transaction. A fork begins with the view that its parent had at that seq. */
export async function addSession(db: Db, deps: StoreDeps, draft: SessionDraft): Promise<Session> {
  const { owner, workspace, title, parent, key, createdAt } = draft
  const id = key === undefined ? deps.ids() : keyedId(key)
  const known = key === undefined ? undefined : await readSession(db, id)
  if (known !== undefined) return known
  const revision = parent === undefined ? 0 : await revisionAt(db, parent)
  const [row] = await rowsOf<SessionColumns>(db, INSERT, [
    storable(id),
    storable(owner),
    storable(workspace),
    folded(workspace),
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
    parent === undefined ? null : storable(parent.id),
    parent?.seq ?? null,
    createdAt ?? deps.clock(),
    parent?.seq ?? 0,
    revision,
  ])
  if (row !== undefined) return sessionFrom(row)
  // The id is taken: another process was first, or the session was deleted and forks share its entries.
  const other = await readSession(db, id)
  if (other === undefined) throw unknownSession(id)
  return other
}

const INSERT = `
  INSERT INTO sessions (
    id, owner, workspace, folded_workspace, title, folded_title, parent_id, parent_seq,
    created_at, updated_at, last_seq, revision
  )
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)
  ON CONFLICT (id) DO NOTHING
  RETURNING ${SESSION_COLUMNS}`

async function revisionAt(db: Db, parent: { id: SessionId; seq: Seq }): Promise<Seq> {
  const row = await lockSession(db, parent.id)
  if (!Number.isSafeInteger(parent.seq) || parent.seq < 0 || parent.seq > row.last_seq) {
    throw new PithError('unknown-entry', `Session ${JSON.stringify(parent.id)} has no entry #${parent.seq} to fork at`)
  }
  if (row.revision <= parent.seq) return row.revision
  const segments = await readSegments(db, row.id)
  const [found] = await rowsOf<{ revision: number | null }>(db, LAST_CHANGE, [
    segments.map(({ id }) => id),
    segments.map(({ from }) => from),
    segments.map(({ upTo }) => Math.min(upTo, parent.seq)),
  ])
  return found?.revision ?? 0
}

const LAST_CHANGE = `
  SELECT max(seq) AS revision
  FROM entries JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS part (id, low, high)
    ON session_id = part.id AND seq BETWEEN low AND high
  WHERE changes_view`

/** The session, unless it is unknown or deleted. */
export async function readSession(db: Db, id: SessionId): Promise<Session | undefined> {
  const [row] = await preparedRows<SessionColumns>(db, SESSION, [storable(id)])
  return row === undefined ? undefined : sessionFrom(row)
}

const SESSION = {
  name: 'pith-session',
  sql: `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1 AND NOT hidden`,
}

const PAGE = 50

/** A page of sessions, the one that was written to last first. */
export async function readSessions(db: Db, deps: StoreDeps, query: SessionQuery = {}): Promise<SessionPage> {
  const limit = limitOf(query.limit ?? PAGE, 1)
  const before = query.before === undefined ? undefined : cursorOf(query.before)
  const rows = await rowsOf<SessionColumns>(db, LIST, [
    query.owner === undefined ? null : storable(query.owner),
    query.workspace === undefined ? null : storable(query.workspace),
    query.text === undefined ? null : containing(query.text),
    before?.updatedAt ?? null,
    before?.place ?? null,
    limit + 1,
    query.holder === undefined ? null : storable(query.holder),
    query.isChained ?? null,
    query.unusedSince ?? null,
    deps.clock(),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? { next: `${last.updated_at}_${last.place}` } : {}
  return { sessions: page.map(sessionFrom), ...next }
}

const LIST = `
  SELECT ${SESSION_COLUMNS} FROM sessions
  WHERE NOT hidden
    AND ($1::text IS NULL OR owner = $1)
    AND ($2::text IS NULL OR workspace = $2)
    AND ($3::text IS NULL OR folded_title LIKE $3 OR folded_workspace LIKE $3)
    AND ($4::double precision IS NULL OR (updated_at, place) < ($4, $5::bigint))
    AND ($7::text IS NULL OR id IN (SELECT session_id FROM chain_holders WHERE holder = $7))
    AND ($7::text IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM chain_holders WHERE session_id = sessions.id AND holder IN ('${SIDE_HOLDER}', '${TASK_HOLDER}')
    ))
    AND ($8::boolean IS NULL OR id IN (SELECT session_id FROM chain_holders))
    AND ($9::double precision IS NULL OR (updated_at <= $9 AND NOT EXISTS (
      SELECT 1 FROM leases WHERE session_id = sessions.id AND expires_at > $10
    )))
  ORDER BY updated_at DESC, place DESC
  LIMIT $6`

function cursorOf(before: string): { updatedAt: number; place: number } {
  const [updatedAt = Number.NaN, place = Number.NaN] = before.split('_').map(Number)
  if (Number.isFinite(updatedAt) && Number.isSafeInteger(place)) return { updatedAt, place }
  throw new PithError('bad-argument', `before: ${JSON.stringify(before)} is not the next of a page of sessions`)
}
