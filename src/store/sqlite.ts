import type { DatabaseSync } from 'node:sqlite'
import { changesView } from '../engine/view.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import { PithError } from '../model/errors.ts'
import type { Seq } from '../model/ids.ts'
import { redactedEntry, withoutFactsOf } from './redacted-body.ts'
import { ChangeFeed } from './sqlite/change-feed.ts'
import { openDatabase, transaction, withClearErrors } from './sqlite/database.ts'
import { entryOf, insertEntry, overwriteEntry, readEntries, segmentsOf } from './sqlite/entry-rows.ts'
import { forksOf } from './sqlite/fork-rows.ts'
import { acquire, release } from './sqlite/lease-rows.ts'
import { prepared } from './sqlite/prepared.ts'
import { searchRows } from './sqlite/search-rows.ts'
import { deleteRows, findSession, insertSession, listSessions, requireSession } from './sqlite/session-rows.ts'
import type { Appended, AppendOptions, Session, SessionDraft, SessionId, Store, StoreDeps } from './store.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const database = openDatabase(path)
  const feed = new ChangeFeed(database)
  const guarded = async <T>(work: () => T): Promise<T> => withClearErrors(path, work)
  const write = async <T>(work: () => T): Promise<T> => {
    const result = await guarded(() => transaction(database, work))
    feed.pollSafely()
    return result
  }
  return {
    createSession: (draft) => write(() => create(database, draft, deps)),
    session: (id) => guarded(() => findSession(database, id)),
    sessions: (query = {}) => guarded(() => listSessions(database, query)),
    renameSession: async (id, title) => {
      await write(() => appendDrafts(database, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) =>
      write(() => {
        requireSession(database, id)
        return deleteRows(database, id)
      }),
    append: (id, drafts, options = {}) => write(() => appendDrafts(database, id, drafts, options, deps)),
    entries: (id, query = {}) =>
      guarded(() => {
        requireSession(database, id)
        return readEntries(database, id, query)
      }),
    redact: async (id, seq) => {
      const entry = await write(() => redact(database, id, seq, deps))
      // The old text is still in the write-ahead log until that is folded in and cut.
      await guarded(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      return entry
    },
    search: (query) => guarded(() => searchRows(database, query)),
    acquireLease: (id, holder, ttlMs) =>
      write(() => {
        requireSession(database, id)
        return acquire(database, { id, holder, ttlMs, now: deps.clock(), token: deps.ids() })
      }),
    releaseLease: (id, token) => write(() => release(database, id, token)),
    subscribe: (listener) => feed.subscribe(listener),
    close: async () => {
      feed.close()
      if (database.isOpen) database.close()
    },
  }
}

function create(database: DatabaseSync, draft: SessionDraft, deps: StoreDeps): Session {
  const parent = draft.parent === undefined ? undefined : requireSession(database, draft.parent.id)
  if (parent !== undefined && (draft.parent?.seq ?? 0) > parent.lastSeq) {
    throw new PithError('unknown-entry', `session ${parent.id} has no entry #${draft.parent?.seq}`)
  }
  const now = deps.clock()
  const lastSeq = draft.parent?.seq ?? 0
  const changes =
    parent === undefined ? [] : readEntries(database, parent.id, { upTo: lastSeq, only: 'changes' }).entries
  const session: Session = {
    ...draft,
    id: deps.ids(),
    createdAt: now,
    updatedAt: now,
    lastSeq,
    revision: changes.findLast(changesView)?.seq ?? 0,
  }
  insertSession(database, session)
  return session
}

function appendDrafts(
  database: DatabaseSync,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
  deps: StoreDeps,
): Appended {
  const session = requireSession(database, id)
  const earlier = options.key === undefined ? undefined : appendedWith(database, id, options.key)
  if (earlier !== undefined) return earlier
  if (options.revision !== undefined && options.revision !== session.revision) {
    return { ok: false, reason: 'superseded', revision: session.revision }
  }
  const { guard } = options
  const why = guard?.check(readEntries(database, id, { from: guard.since + 1 }).entries)
  if (why !== undefined) return { ok: false, reason: 'refused', why }
  const now = deps.clock()
  const entries = drafts.map((draft, i) => entryOf(draft, session.lastSeq + 1 + i, deps.ids(), now))
  for (const entry of entries) insertEntry(database, id, entry)
  afterAppend(database, session, entries, now)
  if (options.key !== undefined) {
    prepared(database, 'INSERT INTO append_keys (session_id, key, from_seq, up_to) VALUES (?, ?, ?, ?)').run(
      id,
      options.key,
      session.lastSeq + 1,
      session.lastSeq + entries.length,
    )
  }
  return { ok: true, entries }
}

function appendedWith(database: DatabaseSync, id: SessionId, key: string): Appended | undefined {
  const found = prepared(database, 'SELECT from_seq, up_to FROM append_keys WHERE session_id = ? AND key = ?').get(
    id,
    key,
  )
  if (found === undefined) return undefined
  return {
    ok: true,
    entries: readEntries(database, id, { from: Number(found.from_seq), upTo: Number(found.up_to) }).entries,
  }
}

function afterAppend(database: DatabaseSync, session: Session, entries: readonly Entry[], now: number): void {
  const last = entries.at(-1)
  if (last === undefined) return
  const revision = entries.findLast(changesView)?.seq ?? session.revision
  const title = entries.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  prepared(database, 'UPDATE sessions SET last_seq = ?, revision = ?, updated_at = ?, title = ? WHERE id = ?').run(
    last.seq,
    revision,
    now,
    (title?.type === 'settings' ? title.title : session.title) ?? null,
    session.id,
  )
}

function redact(database: DatabaseSync, id: SessionId, seq: Seq, deps: StoreDeps): Entry {
  requireSession(database, id)
  const [target] = readEntries(database, id, { seqs: [seq] }).entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  const holder = segmentsOf(database, id).find((segment) => segment.upTo >= seq && hasEntry(database, segment.id, seq))
  const owner = holder?.id ?? id
  overwriteEntry(database, owner, redactedEntry(target))
  for (const session of [owner, ...forksOf(database, owner, seq)]) cleanSession(database, session, target)
  const appended = appendDrafts(database, id, [{ type: 'redact', target: seq }], {}, deps)
  const entry = appended.ok ? appended.entries[0] : undefined
  if (entry === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return entry
}

/** Takes what came from a redacted entry out of the session's own compactions and its title. */
function cleanSession(database: DatabaseSync, id: SessionId, target: Entry): void {
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
