import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { cleanTitle, coveringCompactions, redactedEntry, withoutTraceOf } from '../redacted-entry.ts'
import { type SameText, sameTextAs } from '../same-text.ts'
import { searchText } from '../search-text.ts'
import type { SessionId, StoreDeps } from '../store.ts'
import { storedEntry } from '../stored-entry.ts'
import { appendEntries } from './append-entries.ts'
import { type Db, rowsOf } from './connection.ts'
import { readSegments } from './log-segments.ts'
import { type EntryRow, entryFrom, lockSession } from './rows.ts'
import { forgetSummaries } from './summaries.ts'
import { folded, storable } from './text.ts'

/** Redacts inside the caller's transaction, in every session that shares the entry; answers with the redaction of `id`. */
export async function redactEverywhere(db: Db, deps: StoreDeps, id: SessionId, seq: Seq): Promise<Entry> {
  await lockSession(db, id)
  const { holder, entry } = await entryToRedact(db, id, seq)
  await overwrite(db, holder, redactedEntry(entry))
  const sessions = await sharing(db, holder, seq)
  const sameText = sameTextAs(entry)
  await cleanChanges(db, { holder, seq, sameText })
  let redaction: Entry | undefined
  for (const session of sessions) {
    await forgetSummaries(db, session.id)
    await overwriteTitle(db, session, sameText)
    if (session.hidden) continue
    const appended = await appendEntries(db, deps, session.id, [{ type: 'redact', target: seq }])
    if (session.id === id && appended.ok) redaction = appended.entries[0]
  }
  if (redaction === undefined) throw new Error('An append without conditions was refused')
  return redaction
}

type SharingSession = { readonly id: SessionId; readonly hidden: boolean; readonly title: string | null }

/** The sessions whose log has the entry. */
function sharing(db: Db, holder: SessionId, seq: Seq): Promise<SharingSession[]> {
  const sql = `${SHARING} SELECT s.id, s.hidden, s.title FROM sessions s JOIN sharing ON s.id = sharing.id ORDER BY s.id`
  return rowsOf(db, sql, [holder, seq])
}

/** The entry and the session that it is stored with, which may be an ancestor of a fork. */
async function entryToRedact(db: Db, id: SessionId, seq: Seq): Promise<{ holder: SessionId; entry: Entry }> {
  const segment = (await readSegments(db, id)).find(({ from, upTo }) => from <= seq && seq <= upTo)
  const sql = 'SELECT seq, id, body, facts FROM entries WHERE session_id = $1 AND seq = $2 FOR UPDATE'
  const known = segment !== undefined && Number.isSafeInteger(seq)
  const [row] = known ? await rowsOf<EntryRow>(db, sql, [segment.id, seq]) : []
  if (segment === undefined || row === undefined) {
    throw new PithError('unknown-entry', `Session ${JSON.stringify(id)} has no entry #${seq}`)
  }
  const read = entryFrom(row)
  if ('entry' in read) return { holder: segment.id, entry: read.entry }
  throw new PithError('store-damaged', `Entry #${seq} cannot be read, so it cannot be redacted: ${read.bad.reason}`)
}

async function overwrite(db: Db, holder: SessionId, entry: Entry): Promise<void> {
  await updateBody(db, holder, entry)
  await rowsOf(db, 'DELETE FROM search_texts WHERE session_id = $1 AND seq = $2', [holder, entry.seq])
  const text = folded(searchText(entry))
  if (text === '') return
  const sql = 'INSERT INTO search_texts (session_id, seq, folded) VALUES ($1, $2, $3)'
  await rowsOf(db, sql, [holder, entry.seq, text])
}

async function overwriteTitle(db: Db, { id, title }: SharingSession, sameText: SameText): Promise<void> {
  const clean = cleanTitle(title ?? undefined, sameText)
  if (clean === undefined || clean === title) return
  const sql = 'UPDATE sessions SET title = $2, folded_title = $3 WHERE id = $1'
  await rowsOf(db, sql, [id, storable(clean), folded(clean)])
}

type Place = { readonly holder: SessionId; readonly seq: Seq; readonly sameText: SameText }

/** Takes what came from the entry out of all changes, in every session whose log has the entry. */
async function cleanChanges(db: Db, { holder, seq, sameText }: Place): Promise<void> {
  const rows = await rowsOf<EntryRow & { session_id: string }>(db, CHANGES, [holder, seq])
  const changes = rows.flatMap((row) => {
    const read = entryFrom(row)
    return 'entry' in read ? [{ session: row.session_id, entry: read.entry }] : []
  })
  const covering = coveringCompactions(
    changes.map(({ entry }) => entry),
    seq,
  )
  for (const { session, entry } of changes) {
    const clean = withoutTraceOf({ seq, sameText, covering }, entry)
    if (clean !== entry) await overwrite(db, session, clean)
  }
}

const SHARING = `
  WITH RECURSIVE sharing (id) AS (
    SELECT $1::text
    UNION ALL
    SELECT s.id FROM sessions s JOIN sharing ON s.parent_id = sharing.id WHERE s.parent_seq >= $2
  )`

const CHANGES = `${SHARING}
  SELECT session_id, seq, e.id, body, facts FROM entries e JOIN sharing ON session_id = sharing.id
  WHERE type <> 'message'
  ORDER BY session_id, seq
  FOR UPDATE OF e`

async function updateBody(db: Db, id: SessionId, entry: Entry): Promise<void> {
  const { body, facts } = storedEntry(entry)
  const sql = 'UPDATE entries SET body = $3, facts = $4 WHERE session_id = $1 AND seq = $2'
  await rowsOf(db, sql, [id, entry.seq, body, facts])
}
