import { changesView } from '../../engine/context/view/activity.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { marksOf, newEntries, opensTurn, type PauseLeft, sessionAfter } from '../rows/new-entries.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import type { AppendOptions, AppendResult, SessionId } from '../store.ts'
import { readPause, writeChainMarks } from './beside-log.ts'
import { type Db, folded, lockSession, rowsOf, type SessionColumns, storable } from './connection.ts'
import { type AppendDeps, insertTexts } from './phrase-search.ts'
import { readEntries } from './read-entries.ts'

/** Appends inside the caller's transaction. The lock on the session's row gives the order. */
export async function appendEntries(
  db: Db,
  deps: AppendDeps,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions = {},
): Promise<AppendResult> {
  return appendLocked(db, deps, await lockSession(db, id), drafts, options)
}

/** The same, unless another process has paused the session. */
export async function appendUnlessPaused(
  db: Db,
  deps: AppendDeps,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
): Promise<AppendResult | PauseLeft> {
  const row = await lockSession(db, id)
  return (await readPause(db, row.id, options.pause, deps.clock())) ?? appendLocked(db, deps, row, drafts, options)
}

async function appendLocked(
  db: Db,
  deps: AppendDeps,
  row: SessionColumns,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
): Promise<AppendResult> {
  const before = options.key === undefined ? undefined : await readAppended(db, row.id, options.key)
  if (before !== undefined) return { ok: true, entries: before }
  const refusal = await refusalOf(db, row, options)
  if (refusal !== undefined) return refusal
  const entries = newEntries(drafts, row.last_seq, options, deps)
  for (let i = 0; i < entries.length; i += CHUNK) await insert(db, deps, row.id, entries.slice(i, i + CHUNK))
  await updateSession(db, row, entries)
  const { chain } = options
  if (chain !== undefined) await writeChainMarks(db, row.id, marksOf(entries, chain.values), chain.holder)
  if (options.key !== undefined) await rememberKey(db, row, options.key, entries.length)
  return { ok: true, entries }
}

/** Rows of one statement. */
const CHUNK = 500

async function refusalOf(
  db: Db,
  row: SessionColumns,
  { revision, guard }: AppendOptions,
): Promise<AppendResult | undefined> {
  if (revision !== undefined && revision !== row.revision) {
    return { ok: false, reason: 'superseded', revision: row.revision }
  }
  if (guard === undefined) return undefined
  const { entries } = await readEntries(db, row.id, { from: guard.since + 1 })
  const why = guard.check(entries)
  return why === undefined ? undefined : { ok: false, reason: 'refused', why }
}

async function insert(db: Db, { texts }: AppendDeps, id: SessionId, entries: readonly Entry[]): Promise<void> {
  const stored = entries.map(storedEntry)
  await rowsOf(db, INSERT_ENTRIES, [
    id,
    entries.map((entry) => entry.seq),
    entries.map((entry) => storable(entry.id)),
    entries.map((entry) => entry.at),
    entries.map((entry) => entry.type),
    stored.map(({ body }) => body),
    stored.map(({ facts }) => facts),
    entries.map(changesView),
    entries.map(opensTurn),
  ])
  await insertTexts(db, texts, id, entries)
}

const INSERT_ENTRIES = `
  INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn)
  SELECT $1, * FROM unnest(
    $2::bigint[], $3::text[], $4::double precision[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::boolean[]
  )`

/** Updates the session's row after its log. When the transaction commits, every process gets a notice. */
async function updateSession(db: Db, row: SessionColumns, entries: readonly Entry[]): Promise<void> {
  const after = sessionAfter(entries, row)
  if (after === undefined) return
  const { lastSeq, revision, updatedAt, title } = after
  await rowsOf(db, UPDATE_SESSION, [
    row.id,
    lastSeq,
    updatedAt,
    revision,
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
    JSON.stringify({ session: row.id, from: row.last_seq + 1, seq: lastSeq }),
  ])
}

const UPDATE_SESSION = `
  UPDATE sessions
  SET last_seq = $2, updated_at = $3, revision = $4,
    title = coalesce($5, title), folded_title = coalesce($6, folded_title)
  WHERE id = $1
  RETURNING pg_notify('pith', $7)`

/** The entries that an append with this key has added, if there was one. */
export async function readAppended(db: Db, id: SessionId, key: string): Promise<readonly Entry[] | undefined> {
  const sql = 'SELECT from_seq, upto_seq FROM append_keys WHERE session_id = $1 AND key = $2'
  const [range] = await rowsOf<{ from_seq: number; upto_seq: number }>(db, sql, [storable(id), storable(key)])
  if (range === undefined) return undefined
  return (await readEntries(db, id, { from: range.from_seq, upTo: range.upto_seq })).entries
}

async function rememberKey(db: Db, row: SessionColumns, key: string, count: number): Promise<void> {
  const sql = 'INSERT INTO append_keys (session_id, key, from_seq, upto_seq) VALUES ($1, $2, $3, $4)'
  await rowsOf(db, sql, [row.id, storable(key), row.last_seq + 1, row.last_seq + count])
}
