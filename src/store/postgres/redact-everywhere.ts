import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Seq } from '../../model/types.ts'
import {
  cleanTitle,
  HAS_TEXT,
  type RedactedRow,
  redactedEntry,
  redactedTextOf,
  withoutCallsOf,
  withoutTraces,
} from '../rows/redacted-entry.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import type { SessionId } from '../store.ts'
import { appendEntries } from './append-entries.ts'
import { forgetDerived } from './beside-log.ts'
import { type Db, type EntryRow, entryFrom, folded, lockSession, rowsOf, storable } from './connection.ts'
import { type AppendDeps, insertTexts } from './phrase-search.ts'
import { readSegments } from './read-entries.ts'
import { forgetDocs } from './search-index.ts'

/** Redacts inside the caller's transaction, in every session that shares an entry. Returns the redactions of `id`. */
export async function redactEverywhere(
  db: Db,
  deps: AppendDeps,
  id: SessionId,
  seqs: readonly Seq[],
): Promise<readonly Entry[]> {
  await lockSession(db, id)
  const shared = new Map<SessionId, SharedTexts>()
  for (const { holder, entries } of await entriesToRedact(db, id, [...new Set(seqs)])) {
    await overwrite(db, deps, holder, entries.map(redactedEntry))
    const texts = entries.map(redactedTextOf)
    const first = texts.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER)
    const sessions = (await sharing(db, holder, first)).map((session) => ({
      ...session,
      texts: texts.filter(({ seq }) => seq <= session.reach),
    }))
    await cleanChanges(db, deps, sessions)
    for (const session of sessions) {
      const earlier = shared.get(session.id)?.texts ?? []
      shared.set(session.id, { ...session, texts: [...earlier, ...session.texts] })
    }
  }
  let redactions: readonly Entry[] = []
  for (const session of shared.values()) {
    await forgetDerived(db, session.id)
    await cleanCalls(db, deps, session)
    await overwriteTitle(db, session)
    if (session.hidden) continue
    const drafts = session.texts.map(({ seq }) => ({ type: 'redact', target: seq }) as const)
    const appended = await appendEntries(db, deps, session.id, drafts)
    if (session.id === id && appended.ok) redactions = appended.entries
  }
  return redactions
}

/** A session whose log has entries of `holder`, up to `reach`. */
type SharingSession = {
  readonly id: SessionId
  readonly hidden: boolean
  readonly title: string | null
  readonly reach: Seq
}

type SharedTexts = SharingSession & { readonly texts: readonly RedactedRow[] }

/** The sessions whose log has the entry, and how far each shares the entries of `holder`. */
function sharing(db: Db, holder: SessionId, seq: Seq): Promise<SharingSession[]> {
  const sql = `${SHARING} SELECT s.id, s.hidden, s.title, reach FROM sessions s JOIN sharing ON s.id = sharing.id ORDER BY s.id`
  return rowsOf(db, sql, [holder, seq, Number.MAX_SAFE_INTEGER])
}

type HeldEntries = { readonly holder: SessionId; readonly entries: readonly Entry[] }

/** The entries by the session that they are stored with, which may be an ancestor of a fork. */
async function entriesToRedact(db: Db, id: SessionId, seqs: readonly Seq[]): Promise<HeldEntries[]> {
  const sql = 'SELECT seq, id, body, facts FROM entries WHERE session_id = $1 AND seq = ANY ($2::bigint[]) FOR UPDATE'
  const held: HeldEntries[] = []
  const missing = new Set(seqs)
  for (const { id: holder, from, upTo } of await readSegments(db, id)) {
    const here = seqs.filter((seq) => Number.isSafeInteger(seq) && from <= seq && seq <= upTo)
    if (here.length === 0) continue
    const rows = new Map((await rowsOf<EntryRow>(db, sql, [holder, here])).map((row) => [row.seq, row]))
    const entries = here.flatMap((seq) => rows.get(seq) ?? []).map(readableEntry)
    for (const { seq } of entries) missing.delete(seq)
    if (entries.length > 0) held.push({ holder, entries })
  }
  const [unknown] = missing
  if (unknown === undefined) return held
  throw new PithError('unknown-entry', `Session ${JSON.stringify(id)} has no entry #${unknown}`)
}

function readableEntry(row: EntryRow): Entry {
  const read = entryFrom(row)
  if ('entry' in read) return read.entry
  throw new PithError('store-damaged', `Entry #${row.seq} cannot be read, so it cannot be redacted: ${read.bad.reason}`)
}

async function overwrite(db: Db, { texts }: AppendDeps, holder: SessionId, entries: readonly Entry[]): Promise<void> {
  const seqs = entries.map(({ seq }) => seq)
  const stored = entries.map(storedEntry)
  await rowsOf(db, UPDATE_BODIES, [holder, seqs, stored.map(({ body }) => body), stored.map(({ facts }) => facts)])
  await rowsOf(db, 'DELETE FROM search_texts WHERE session_id = $1 AND seq = ANY ($2::bigint[])', [holder, seqs])
  await insertTexts(db, texts, holder, entries)
  await forgetDocs(
    db,
    seqs.map((seq) => ({ session_id: holder, seq })),
  )
}

async function overwriteTitle(db: Db, { id, title, texts }: SharedTexts): Promise<void> {
  const clean = cleanTitle(title ?? undefined, texts)
  if (clean === undefined || clean === title) return
  const sql = 'UPDATE sessions SET title = $2, folded_title = $3 WHERE id = $1'
  await rowsOf(db, sql, [id, storable(clean), folded(clean)])
}

/** Removes redacted calls, as the client ran them, from the messages after them. */
async function cleanCalls(db: Db, deps: AppendDeps, { id, texts }: SharedTexts): Promise<void> {
  const called = texts.filter(({ calls }) => calls.length > 0)
  const rows = called.length === 0 ? [] : await rowsOf<EntryRow>(db, NEXT, [id, called.map(({ seq }) => seq)])
  for (const row of rows) {
    const next = readableEntry(row)
    const cleaned = called.flatMap((redacted) => withoutCallsOf(redacted, next) ?? [])
    if (cleaned.length > 0) await overwrite(db, deps, id, cleaned.slice(0, 1))
  }
}

/** Removes everything that came from redacted entries from all changes, in every session whose log has them. */
async function cleanChanges(db: Db, deps: AppendDeps, sessions: readonly SharedTexts[]): Promise<void> {
  const rows = await rowsOf<EntryRow & { session_id: string }>(db, CHANGES, [sessions.map(({ id }) => id)])
  const changes = rows.flatMap((row) => {
    const read = entryFrom(row)
    return 'entry' in read ? [{ session: row.session_id, entry: read.entry }] : []
  })
  const all = changes.map(({ entry }) => entry)
  for (const { id, texts } of sessions) {
    const own = changes.flatMap(({ session, entry }) => (session === id ? [entry] : []))
    const cleaned = withoutTraces(texts, own, all).map(({ clean }) => clean)
    if (cleaned.length > 0) await overwrite(db, deps, id, cleaned)
  }
}

const SHARING = `
  WITH RECURSIVE sharing (id, reach) AS (
    SELECT $1::text, $3::bigint
    UNION ALL
    SELECT s.id, least(sharing.reach, s.parent_seq) FROM sessions s JOIN sharing ON s.parent_id = sharing.id
    WHERE s.parent_seq >= $2
  )`

const CHANGES = `
  SELECT session_id, seq, id, body, facts FROM entries
  WHERE session_id = ANY ($1::text[]) AND ${HAS_TEXT}
  ORDER BY session_id, seq
  FOR UPDATE`

/** The messages right after these entries. */
const NEXT = `
  SELECT DISTINCT ON (next.seq) next.* FROM unnest($2::bigint[]) AS redacted (seq), LATERAL (
    SELECT seq, id, body, facts FROM entries
    WHERE session_id = $1 AND type = 'message' AND entries.seq > redacted.seq
    ORDER BY entries.seq LIMIT 1
  ) AS next`

const UPDATE_BODIES = `
  UPDATE entries SET body = new.body, facts = new.facts, size = NULL
  FROM unnest($2::bigint[], $3::text[], $4::text[]) AS new (seq, body, facts)
  WHERE session_id = $1 AND entries.seq = new.seq`
