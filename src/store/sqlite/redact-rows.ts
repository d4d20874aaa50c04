import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { redactedEntry, withoutFactsOf } from '../redacted-body.ts'
import type { SessionId, StoreDeps } from '../store.ts'
import { appendDrafts } from './append-rows.ts'
import { overwriteEntry, readEntries, segmentsOf } from './entry-rows.ts'
import { forksOf } from './fork-rows.ts'
import { prepared } from './prepared.ts'
import { findSession, requireSession } from './session-rows.ts'
import { forgetSummaries } from './summary-rows.ts'

/** Redacts inside the caller's transaction, for every session that shares the entry; gives the one asked for. */
export function redact(database: DatabaseSync, id: SessionId, seq: Seq, deps: StoreDeps): Entry {
  requireSession(database, id)
  const [target] = readEntries(database, id, { seqs: [seq] }).entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  const holder = segmentsOf(database, id).find((segment) => segment.upTo >= seq && hasEntry(database, segment.id, seq))
  const owner = holder?.id ?? id
  overwriteEntry(database, owner, redactedEntry(target))
  let redaction: Entry | undefined
  for (const session of [owner, ...forksOf(database, owner, seq)]) {
    cleanSession(database, session, target)
    if (findSession(database, session) === undefined) continue
    const appended = appendDrafts(database, session, [{ type: 'redact', target: seq }], {}, deps)
    if (session === id && appended.ok) redaction = appended.entries[0]
  }
  if (redaction === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return redaction
}

/** Takes what came from a redacted entry out of the session's own compactions and its title. */
function cleanSession(database: DatabaseSync, id: SessionId, target: Entry): void {
  forgetSummaries(database, id)
  const changes = readEntries(database, id, { only: 'changes' }).entries
  for (const change of changes) {
    const clean = withoutFactsOf(change, target.seq)
    if (clean !== change && hasEntry(database, id, change.seq)) overwriteEntry(database, id, clean)
  }
  if (target.type !== 'settings' || target.title === undefined) return
  const named = changes.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  const title = named?.type === 'settings' ? (named.title ?? null) : null
  prepared(database, 'UPDATE sessions SET title = ? WHERE id = ?').run(title, id)
}

function hasEntry(database: DatabaseSync, id: SessionId, seq: Seq): boolean {
  return prepared(database, 'SELECT 1 FROM entries WHERE session_id = ? AND seq = ?').get(id, seq) !== undefined
}
