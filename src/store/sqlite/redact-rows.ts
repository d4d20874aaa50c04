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
import type { SessionId, StoreDeps } from '../store.ts'
import { deleteDerived } from './beside-log.ts'
import type { Database } from './database.ts'
import { appendRows, forksOf, selectEntries, selectSegments, updateEntry } from './entry-rows.ts'
import { existingSession, selectSession } from './session-rows.ts'

/** Redacts inside the caller's transaction, in every session that shares an entry. Returns the redactions of `id`. */
export function redactRows(database: Database, id: SessionId, seqs: readonly Seq[], deps: StoreDeps): Entry[] {
  existingSession(database, id)
  const shared = new Map<SessionId, RedactedRow[]>()
  for (const { owner, target } of entriesToRedact(database, id, seqs)) {
    updateEntry(database, owner, redactedEntry(target))
    const redacted = redactedTextOf(target)
    for (const session of [owner, ...forksOf(database, owner, target.seq)]) {
      const earlier = shared.get(session)
      if (earlier === undefined) shared.set(session, [redacted])
      else earlier.push(redacted)
    }
  }
  let redactions: readonly Entry[] = []
  for (const [session, redacted] of shared) {
    cleanSession(database, session, redacted)
    if (selectSession(database, session) === undefined) continue
    const drafts = redacted.map(({ seq }) => ({ type: 'redact', target: seq }) as const)
    const appended = appendRows(database, session, drafts, {}, deps)
    if (session === id && appended.ok) redactions = appended.entries
  }
  return [...redactions]
}

type OwnedEntry = { readonly owner: SessionId; readonly target: Entry }

/** The entries, each with the session that it is stored with, which may be an ancestor of a fork. */
function entriesToRedact(database: Database, id: SessionId, seqs: readonly Seq[]): OwnedEntry[] {
  const segments = selectSegments(database, id)
  const found = new Map(selectEntries(database, id, { seqs, raw: true }).entries.map((entry) => [entry.seq, entry]))
  return [...new Set(seqs)].map((seq) => {
    const target = found.get(seq)
    if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
    return { owner: segments.find(({ from, upTo }) => from <= seq && seq <= upTo)?.id ?? id, target }
  })
}

/** Removes everything that came from redacted entries from a session: facts, summaries, to-dos and titles. */
function cleanSession(database: Database, id: SessionId, redacted: readonly RedactedRow[]): void {
  deleteDerived(database, id)
  const changes = selectEntries(database, id, { seqs: changesWithText(database, id) }).entries
  for (const { before, clean } of withoutTraces(redacted, changes)) {
    if (hasEntry(database, id, before.seq)) updateEntry(database, id, clean)
  }
  for (const row of redacted) cleanCalls(database, id, row)
  const title = selectTitle(database, id)
  const clean = cleanTitle(title, redacted)
  if (clean !== title) database.prepared('UPDATE sessions SET title = ? WHERE id = ?').run(clean ?? null, id)
}

function cleanCalls(database: Database, id: SessionId, redacted: RedactedRow): void {
  if (redacted.calls.length === 0) return
  const [next] = selectEntries(database, id, { only: 'messages', from: redacted.seq + 1, limit: 1, raw: true }).entries
  const clean = next && withoutCallsOf(redacted, next)
  if (clean !== undefined && hasEntry(database, id, clean.seq)) updateEntry(database, id, clean)
}

/** Without the redactions: a session may have thousands of them, and reading them again for each one would take long. */
function changesWithText(database: Database, id: SessionId): Seq[] {
  const sql = `SELECT seq FROM entries WHERE session_id = ? AND seq BETWEEN ? AND ? AND ${HAS_TEXT}`
  return selectSegments(database, id).flatMap((segment) =>
    database
      .prepared(sql)
      .all(segment.id, segment.from, segment.upTo)
      .map(({ seq }) => Number(seq)),
  )
}

/** The title, even of a session that was deleted and whose forks share its entries. */
function selectTitle(database: Database, id: SessionId): string | undefined {
  const title = database.prepared('SELECT title FROM sessions WHERE id = ?').get(id)?.title
  return typeof title === 'string' ? title : undefined
}

function hasEntry(database: Database, id: SessionId, seq: Seq): boolean {
  return database.prepared('SELECT 1 FROM entries WHERE session_id = ? AND seq = ?').get(id, seq) !== undefined
}
