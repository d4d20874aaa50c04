import { PithError } from '../../model/problems/errors.ts'
import { type SessionTableRow, sessionFrom } from '../rows/table-rows.ts'
import {
  type ChainMark,
  type ChainPlace,
  type Session,
  type SessionId,
  type SessionPage,
  type SessionQuery,
  SIDE_HOLDER,
  TASK_HOLDER,
  unknownSession,
} from '../store.ts'
import type { Database } from './database.ts'

/** The session, unless it is unknown or deleted. */
export function selectSession(database: Database, id: SessionId): Session | undefined {
  const row = database.prepared('SELECT * FROM sessions WHERE id = ? AND hidden = 0').get(id) as
    | SessionTableRow
    | undefined
  return row === undefined ? undefined : sessionFrom(row)
}

/** The session. An unknown one is an error. */
export function existingSession(database: Database, id: SessionId): Session {
  const session = selectSession(database, id)
  if (session === undefined) throw unknownSession(id)
  return session
}

/** True when the session was deleted but keeps its row, because forks share its entries. */
export function isDeleted(database: Database, id: SessionId): boolean {
  return database.prepared('SELECT 1 FROM sessions WHERE id = ? AND hidden = 1').get(id) !== undefined
}

/** The end of a session's log, and the highest number that any row ever had: numbers of deleted rows are not reused. */
type End = Pick<Session, 'lastSeq' | 'revision'> & { readonly row: number }

/** Everything that an append needs, read in one statement. An unknown session is an error. */
export function logEnd(database: Database, id: SessionId): End {
  const sql = `SELECT last_seq AS lastSeq, revision,
      max((SELECT highest FROM rows_given), coalesce((SELECT max(row) FROM entries), 0)) AS row
    FROM sessions WHERE id = ? AND hidden = 0`
  const end = database.prepared(sql).get(id) as End | undefined
  if (end === undefined) throw unknownSession(id)
  return end
}

/** A text for a column. NULs are replaced, because Node 22 reads a text only up to its first NUL. */
export function columnText(text: string | undefined): string | null {
  return text?.replaceAll('\0', ' ') ?? null
}

export function insertSession(database: Database, session: Session): void {
  database
    .prepared(`INSERT INTO sessions (id, owner, workspace, title, parent_id, parent_seq, created_at, updated_at, last_seq, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      session.id,
      session.owner,
      session.workspace,
      columnText(session.title),
      session.parent?.id ?? null,
      session.parent?.seq ?? null,
      session.createdAt,
      session.updatedAt,
      session.lastSeq,
      session.revision,
    )
}

/** One page, the most recently used first. */
export function selectSessions(database: Database, query: SessionQuery, now: number): SessionPage {
  const conditions = ['hidden = 0']
  const values: (string | number)[] = []
  const where = (condition: string, ...more: (string | number)[]) => {
    conditions.push(condition)
    values.push(...more)
  }
  if (query.owner !== undefined) where('owner = ?', query.owner)
  if (query.workspace !== undefined) where('workspace = ?', query.workspace)
  if (query.holder === undefined) where(`NOT ${IS_HELD}`, SIDE_HOLDER, TASK_HOLDER)
  else where(HELD, query.holder)
  if (query.isChained === true) where('id IN (SELECT session_id FROM chain_holders)')
  if (query.text !== undefined && query.text !== '') {
    where("instr(fold(coalesce(title, '') || char(10) || workspace), fold(?)) > 0", query.text)
  }
  if (query.unusedSince !== undefined) where(IS_UNUSED, query.unusedSince, now)
  const [updatedAt, id] = cursorOf(query.before)
  if (id !== undefined) where('(updated_at, id) < (?, ?)', Number(updatedAt), id)
  const limit = Math.max(1, Math.floor(query.limit ?? 50))
  const sql = `SELECT * FROM sessions WHERE ${conditions.join(' AND ')} ORDER BY updated_at DESC, id DESC LIMIT ?`
  const rows = database.prepared(sql).all(...values, limit + 1) as SessionTableRow[]
  const sessions = rows.slice(0, limit).map(sessionFrom)
  const last = sessions.at(-1)
  return rows.length > limit && last !== undefined ? { sessions, next: `${last.updatedAt}:${last.id}` } : { sessions }
}

/** With the time since when a session must be unused, and the current time. */
export const IS_UNUSED = `updated_at <= ? AND NOT EXISTS (
  SELECT 1 FROM leases WHERE session_id = sessions.id AND expires_at > ?
)`
const IS_HELD = 'EXISTS (SELECT 1 FROM chain_holders WHERE session_id = sessions.id AND holder IN (?, ?))'
const HELD = 'id IN (SELECT session_id FROM chain_holders WHERE holder = ?)'

function cursorOf(before: string | undefined): [string?, string?] {
  if (before === undefined) return []
  const colon = before.indexOf(':')
  if (colon <= 0 || Number.isNaN(Number(before.slice(0, colon)))) {
    throw new PithError('bad-argument', `\`${before}\` is not the next page of a list of sessions`)
  }
  return [before.slice(0, colon), before.slice(colon + 1)]
}

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
