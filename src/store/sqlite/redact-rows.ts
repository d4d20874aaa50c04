import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { cleanTitle, coveringCompactions, redactedEntry, withoutTraceOf } from '../redacted-entry.ts'
import { type SameText, sameTextAs } from '../same-text.ts'
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
  const sameText = sameTextAs(target)
  let redaction: Entry | undefined
  for (const session of [owner, ...forksOf(database, owner, seq)]) {
    cleanSession(database, session, target, sameText)
    if (selectSession(database, session) === undefined) continue
    const appended = appendRows(database, session, [{ type: 'redact', target: seq }], {}, deps)
    if (session === id && appended.ok) redaction = appended.entries[0]
  }
  if (redaction === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return redaction
}

/** Takes what came from a redacted entry out of a session: facts, summaries, to-dos and titles. */
function cleanSession(database: DatabaseSync, id: SessionId, { seq }: Entry, sameText: SameText): void {
  deleteSummaries(database, id)
  const changes = selectEntries(database, id, { only: 'changes' }).entries
  const redaction = { seq, sameText, covering: coveringCompactions(changes, seq) }
  for (const change of changes) {
    const clean = withoutTraceOf(redaction, change)
    if (clean !== change && hasEntry(database, id, change.seq)) updateEntry(database, id, clean)
  }
  const title = selectTitle(database, id)
  const clean = cleanTitle(title, sameText)
  if (clean !== title) prepared(database, 'UPDATE sessions SET title = ? WHERE id = ?').run(clean ?? null, id)
}

/** The title, also of a session that was deleted and whose forks share its entries. */
function selectTitle(database: DatabaseSync, id: SessionId): string | undefined {
  const title = prepared(database, 'SELECT title FROM sessions WHERE id = ?').get(id)?.title
  return typeof title === 'string' ? title : undefined
}

function hasEntry(database: DatabaseSync, id: SessionId, seq: Seq): boolean {
  return prepared(database, 'SELECT 1 FROM entries WHERE session_id = ? AND seq = ?').get(id, seq) !== undefined
}
