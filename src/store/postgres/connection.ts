import pg from 'pg'
import { messageOf, PithError } from '../../model/problems/errors.ts'
import type { Entry } from '../../model/types.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import type { SessionTableRow } from '../rows/table-rows.ts'
import { type BadRow, type EntryPage, type SessionId, type StoreDeps, unknownSession } from '../store.ts'

/** Anything that runs a statement: the pool, or the one client of a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>

const BIGINT_OID = 20
const CONNECT_MS = 10_000

/** The options of a connection. A bigint comes back as a number: a seq always fits into one. */
export function connectionConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'pith',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_MS,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
}

export type PoolLimits = Pick<StoreDeps, 'poolSize' | 'statementMs' | 'connectMs' | 'answerMs'>

/**
 * A pool that replaces broken connections. The caller gets the error; it never ends the process. No statement waits for ever: a
 * server that hangs, or a network that drops packets, says nothing.
 */
export function createPool(url: string, { poolSize, statementMs, connectMs, answerMs }: PoolLimits = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(url),
    max: poolSize,
    statement_timeout: statementMs,
    query_timeout: answerMs ?? ANSWER_MS,
    connectionTimeoutMillis: connectMs ?? CONNECT_MS,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The rows that a statement returns. */
export async function rowsOf<R extends pg.QueryResultRow>(
  db: Db,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return (await db.query<R>(sql, [...values])).rows
}

/** The rows of a statement that runs often: each connection plans it once. Only for a small number of different texts. */
export async function preparedRows<R extends pg.QueryResultRow>(
  db: Db,
  { name, sql }: PreparedStatement,
  values: readonly unknown[],
  answerMs?: number,
): Promise<R[]> {
  const statement = { name, text: sql, values: [...values] }
  // The driver accepts a deadline for a single statement, although its types do not say so. The pool closes a connection that missed it.
  const withDeadline = { ...statement, query_timeout: answerMs }
  return (await db.query<R>(withDeadline)).rows
}

/**
 * How long the answer to a statement may take. If a network drops packets silently, the operating system gives up only after a
 * quarter of an hour; if the server hangs, never. Until then the statement would hold its connection, and others would wait.
 */
export const ANSWER_MS = 30_000

/** The same for work that may read or write a whole database in one statement: redacting, deleting. */
export const LONG_ANSWER_MS = 10 * ANSWER_MS

/** A statement that may have changed something was sent, and its answer did not come: whether it is done is not known. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
}

/** True when the connection was silent for too long, broke, or was ended by the server. */
function isLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return LOST_CODE.test(code) || isSilence(error.message) || /^Connection terminated/.test(error.message)
}

/** The driver's own message about an answer that did not come in time. */
function isSilence(message: string): boolean {
  return message === 'Query read timeout'
}

const LOST_CODE = /^(?:08...|57P..|E(?:CONNRESET|PIPE|TIMEDOUT|HOST.*|NET.*))$/

/** Runs each statement by itself on a connection of the pool. A statement that was sent and not answered throws `LostAnswer`. */
export function singleStatements(pool: pg.Pool): Db {
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    // An error up to here is not lost: nothing was sent.
    const client = await pool.connect()
    let lost = false
    try {
      return await client.query(statement, values)
    } catch (error) {
      lost = isLost(error)
      throw lost ? new LostAnswer(messageOf(error), { cause: error }) : error
    } finally {
      client.release(lost)
    }
  }
  // The driver's own type has a form for callbacks and streams, which nobody uses here.
  return { query: query as Db['query'] }
}

/** A statement, and the name under which a connection keeps its plan. */
export type PreparedStatement = { readonly name: string; readonly sql: string }

const ATTEMPTS = 5

/** Runs all of `work` or nothing. When the server ends it to break a deadlock, it runs again. `answerMs`: the longest time for each answer. */
export function transaction<T>(pool: pg.Pool, work: (db: Db) => Promise<T>, answerMs?: number): Promise<T> {
  return repeated(() => once(pool, work, answerMs))
}

/** Runs `work`, which only reads, as of one moment. */
export function snapshot<T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return once(pool, work, undefined, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

/** Runs one statement, and again when the server ends it to break a deadlock. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

async function once<T>(
  pool: pg.Pool,
  work: (db: Db) => Promise<T>,
  answerMs?: number,
  begin = 'BEGIN ISOLATION LEVEL READ COMMITTED',
): Promise<T> {
  const client = await pool.connect()
  const db = answerMs === undefined ? client : withDeadline(client, answerMs)
  let broken = false
  try {
    await db.query(begin)
    const result = await work(db)
    await db.query('COMMIT').catch(commitError)
    return result
  } catch (error) {
    // A silent connection would not answer a ROLLBACK either. Closing it rolls everything back that was not committed.
    broken = isLost(error) || error instanceof LostAnswer
    if (!broken)
      await client.query('ROLLBACK').catch(() => {
        broken = true
      })
    throw error
  } finally {
    client.release(broken)
  }
}

function commitError(error: unknown): never {
  throw isLost(error) ? new LostAnswer(error.message, { cause: error }) : error
}

/** A client each of whose statements has to be answered in time. */
export function withDeadline(client: Db, answerMs: number): Db {
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof statement === 'string' ? { text: statement, values } : statement
    const timed = { ...config, query_timeout: answerMs }
    return client.query(timed)
  }
  // The driver's own type has a form for callbacks and streams, which nobody uses here.
  return { query: query as Db['query'] }
}

/** A deadlock, or a conflict under an isolation level that the administrator demands. */
function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

/** A limit that PostgreSQL accepts, for any number of the caller. */
export function limitOf(wanted: number, least: number): number {
  return Math.min(Math.max(least, Math.floor(wanted)), 2 ** 31)
}

/** A name or a title as PostgreSQL can hold it: it has no NUL, and UTF-8 has no lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Text to search in, and for: without the characters that PostgreSQL cannot hold. */
export function searchable(text: string): string {
  return text.replace(/[\0\uD800-\uDFFF]/gu, '')
}

/** Text in which upper and lower case are the same, whatever the locale of the database. */
export function folded(text: string): string {
  return searchable(text).toLowerCase()
}

/** The LIKE pattern for folded texts that contain this text. Case is ignored. */
export function containing(text: string): string {
  return `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`
}

/** A row of `sessions` as it is read. */
export type SessionColumns = SessionTableRow & { readonly place: number }

export const SESSION_COLUMNS =
  'id, place, owner, workspace, title, parent_id, parent_seq, created_at, updated_at, last_seq, revision'

/** Locks the row of a session: until the transaction ends nobody else appends to it, forks it or deletes it. */
export async function lockSession(db: Db, id: SessionId): Promise<SessionColumns> {
  const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1 AND NOT hidden FOR UPDATE`
  const [row] = await rowsOf<SessionColumns>(db, sql, [storable(id)])
  if (row === undefined) throw unknownSession(id)
  return row
}

/** A row of `entries` as it is read. */
export type EntryRow = StoredEntry & { readonly seq: number; readonly id: string }

/** The entry of a row, or why it cannot be read. */
export function entryFrom(row: EntryRow, light = false): { entry: Entry } | { bad: BadRow } {
  const read = readStoredEntry(row, row.seq, light)
  return typeof read === 'string' ? { bad: { seq: row.seq, id: row.id, reason: read } } : { entry: read }
}

/** The rows as a page. Those that cannot be read are set aside. */
export function pageOf(rows: readonly EntryRow[], light = false): EntryPage {
  const entries: Entry[] = []
  const bad: BadRow[] = []
  for (const row of rows) {
    const read = entryFrom(row, light)
    if ('entry' in read) entries.push(read.entry)
    else bad.push(read.bad)
  }
  return { entries, bad }
}

/** Runs `work`. An error of PostgreSQL or the network becomes one line that says what to do. */
export async function withServerErrors<T>(where: string, work: () => Promise<T>, what: CallKind = 'read'): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw clearError(where, error, what)
  }
}

/** Of a call that only reads, a lost answer leaves nothing unknown. */
export type CallKind = 'read' | 'write'

/** The address of a database without user and password. */
export function addressOf(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `postgres://${host}${pathname}`
}

function clearError(where: string, error: unknown, what: CallKind): unknown {
  if (error instanceof PithError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const why = lineOf(error)
  if (code === 'ERR_INVALID_URL') {
    return new PithError('bad-argument', 'The address of the PostgreSQL database is not a valid URL')
  }
  if (DAMAGED.test(code)) {
    const message = `${where} is damaged (${why}): it was left as it is; restore a backup`
    return new PithError('store-damaged', message, { cause: error })
  }
  if (code === DISK_FULL) {
    const message = `the disk of ${where} is full (${why}): nothing that was saved is lost; free space on the server`
    return new PithError('store-full', message, { cause: error })
  }
  if (error instanceof LostAnswer) {
    if (what === 'read') return clearError(where, error.cause, what)
    const message = `${where} did not answer ${isSilence(why) ? 'in time' : `(${why})`}: what was sent last may be saved or not; check the server and the network`
    return new PithError('store-unanswered', message, { cause: error })
  }
  if (isSilence(why)) {
    const message = `${where} did not answer in time: nothing that was saved is lost; check the server and the network`
    return new PithError('store-unwritable', message, { cause: error })
  }
  if (
    UNWRITABLE.test(code) ||
    /^Connection terminated|timeout exceeded when trying to connect|timeout expired/.test(why)
  ) {
    const message = `${where} cannot be used (${why}): nothing that was saved is lost; check the server and the permissions`
    return new PithError('store-unwritable', message, { cause: error })
  }
  return error
}

/** The server found broken pages. */
const DAMAGED = /^XX00[12]$/

const DISK_FULL = '53100'

/** No connection, wrong login, no such database, no permission, read-only, no space, shutting down; or no network. */
const UNWRITABLE =
  /^(?:08...|28...|3D000|3F000|42501|25006|53...|57P..|58...|E(?:CONN|PIPE|NOTFOUND|TIMEDOUT|HOST|NET|AI_).*)$/

/** The message in one line. A refused connection has none of its own, only one for each address that was tried. */
function lineOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first instanceof Error) return lineOf(first)
  return (error.message || String(error)).replace(/\s+/g, ' ')
}
