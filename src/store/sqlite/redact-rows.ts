import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { redactedEntry, withoutFactsOf } from '../redacted-entry.ts'
import type { SessionId, StoreDeps } from '../store.ts'
import { appendRows } from './append-rows.ts'
import { selectEntries, updateEntry } from './entry-rows.ts'
import { forksOf, selectSegments } from './fork-rows.ts'
import { prepared } from './prepared.ts'
import { existingSession, selectSession } from './session-rows.ts'
import { deleteSummaries } from './summary-rows.ts'

/** Redacts inside the caller's transaction, in every session that shares the entry; answers with the redaction of `id`. */
export function redactRows(database: DatabaseSync, id: SessionId, seq: Seq, deps: StoreDeps): Entry {
  existingSession(database, id)
  const [target] = selectEntries(database, id, { seqs: [seq] }).entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  const holder = selectSegments(database, id).find(({ from, upTo }) => from <= seq && seq <= upTo)
  const owner = holder?.id ?? id
  updateEntry(database, owner, redactedEntry(target))
  let redaction: Entry | undefined
  for (const session of [owner, ...forksOf(database, owner, seq)]) {
    cleanSession(database, session, target)
    if (selectSession(database, session) === undefined) continue
    const appended = appendRows(database, session, [{ type: 'redact', target: seq }], {}, deps)
    if (session === id && appended.ok) redaction = appended.entries[0]
  }
  if (redaction === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return redaction
}

/** Takes the facts and the title that came from a redacted entry out of a session. */
function cleanSession(database: DatabaseSync, id: SessionId, target: Entry): void {
  deleteSummaries(database, id)
  const changes = selectEntries(database, id, { only: 'changes' }).entries
  for (const change of changes) {
    const clean = withoutFactsOf(change, target.seq)
    if (clean !== change && hasEntry(database, id, change.seq)) updateEntry(database, id, clean)
  }
  if (target.type !== 'settings' || target.title === undefined) return
  const named = changes.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  const title = named?.type === 'settings' ? (named.title ?? null) : null
  prepared(database, 'UPDATE sessions SET title = ? WHERE id = ?').run(title, id)
}

function hasEntry(database: DatabaseSync, id: SessionId, seq: Seq): boolean {
  return prepared(database, 'SELECT 1 FROM entries WHERE session_id = ? AND seq = ?').get(id, seq) !== undefined
}
