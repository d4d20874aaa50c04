import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { redactedEntry, withoutFactsOf } from '../redacted-entry.ts'
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
  const redacted = redactedEntry(entry)
  await overwrite(db, holder, redacted)
  await overwriteTitle(db, holder, { was: titleOf(entry), is: titleOf(redacted) })
  await dropFacts(db, holder, seq)
  let redaction: Entry | undefined
  for (const session of await sharing(db, holder, seq)) {
    await forgetSummaries(db, session.id)
    if (session.hidden) continue
    const appended = await appendEntries(db, deps, session.id, [{ type: 'redact', target: seq }])
    if (session.id === id && appended.ok) redaction = appended.entries[0]
  }
  if (redaction === undefined) throw new Error('An append without conditions was refused')
  return redaction
}

/** The sessions whose log has the entry. */
function sharing(db: Db, holder: SessionId, seq: Seq): Promise<{ id: SessionId; hidden: boolean }[]> {
  const sql = `${SHARING} SELECT s.id, s.hidden FROM sessions s JOIN sharing ON s.id = sharing.id ORDER BY s.id`
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

/** Overwrites the session's title if it still is the one that the entry set. */
async function overwriteTitle(db: Db, holder: SessionId, title: { was?: string; is?: string }): Promise<void> {
  if (title.was === undefined || title.was === title.is) return
  const { was, is } = title
  const sql = 'UPDATE sessions SET title = $3, folded_title = $4 WHERE id = $1 AND title = $2'
  const next = is === undefined ? [null, null] : [storable(is), folded(is)]
  await rowsOf(db, sql, [holder, storable(was), ...next])
}

function titleOf(entry: Entry): string | undefined {
  return entry.type === 'settings' ? entry.title : undefined
}

/** Takes the facts of the entry out of compactions, in every session whose log has the entry. */
async function dropFacts(db: Db, holder: SessionId, seq: Seq): Promise<void> {
  const rows = await rowsOf<EntryRow & { session_id: string }>(db, COMPACTIONS, [holder, seq])
  for (const row of rows) {
    const read = entryFrom(row)
    if (!('entry' in read)) continue
    const without = withoutFactsOf(read.entry, seq)
    if (without !== read.entry) await updateBody(db, row.session_id, without)
  }
}

const SHARING = `
  WITH RECURSIVE sharing (id) AS (
    SELECT $1::text
    UNION ALL
    SELECT s.id FROM sessions s JOIN sharing ON s.parent_id = sharing.id WHERE s.parent_seq >= $2
  )`

const COMPACTIONS = `${SHARING}
  SELECT session_id, seq, e.id, body, facts FROM entries e JOIN sharing ON session_id = sharing.id
  WHERE type <> 'message' AND type = 'compaction' AND seq > $2
  ORDER BY session_id, seq
  FOR UPDATE OF e`

async function updateBody(db: Db, id: SessionId, entry: Entry): Promise<void> {
  const { body, facts } = storedEntry(entry)
  const sql = 'UPDATE entries SET body = $3, facts = $4 WHERE session_id = $1 AND seq = $2'
  await rowsOf(db, sql, [id, entry.seq, body, facts])
}
