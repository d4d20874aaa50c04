import { changesView } from '../../engine/context/view/changes-view.ts'
import { PithError } from '../../model/problems/errors.ts'
import { MOST_PAUSE_MS, type PauseLeft, PauseWait } from '../pause-wait.ts'
import { keyedId } from '../rows/keyed-id.ts'
import { type LeaseRow, refusedLease } from '../rows/lease-row.ts'
import {
  type Lease,
  type Session,
  type SessionDraft,
  type SessionId,
  type Store,
  type StoreDeps,
  unknownSession,
} from '../store.ts'
import { replaceAccount, selectAccounts } from './account-rows.ts'
import { appendRows, selectAppended } from './append-rows.ts'
import type { Database } from './database.ts'
import { DatabaseFile } from './database-file.ts'
import { selectEntries } from './entry-rows.ts'
import { redactRows, replaceSummaries, selectSummaries } from './redact-rows.ts'
import { searchRows } from './search-rows.ts'
import {
  checkSession,
  deleteSessionRows,
  existingSession,
  insertChainMarks,
  insertSession,
  isDeleted,
  selectChainPlaces,
  selectSession,
  selectSessions,
} from './session-rows.ts'
import { deleteSignal, insertSignal } from './signal-rows.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const file = await DatabaseFile.open(path, deps)
  const db = file.database
  const note = <T>(work: () => T) => file.write(work, 'beside-log')
  const now = () => ({ now: deps.clock(), token: deps.ids() })
  return {
    createSession: (draft) => file.write(() => createSessionRow(db, draft, deps)),
    session: (id) => file.read(() => selectSession(db, id)),
    sessions: (query = {}) => file.read(() => selectSessions(db, query)),
    renameSession: async (id, title) => {
      await file.write(() => appendRows(db, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) => file.write(of(id, () => deleteSessionRows(db, id))),
    append: async (id, drafts, options = {}) => {
      const wait = new PauseWait()
      for (;;) {
        const answer = await file.write(() => {
          const pause = wait.isOver ? undefined : pauseLeft(db, id, options.pause, deps.clock())
          return pause ?? appendRows(db, id, drafts, options, deps)
        })
        if (!('pausedMs' in answer)) return answer
        await wait.after(answer)
      }
    },
    appended: (id, key) => file.read(of(id, () => selectAppended(db, id, key))),
    entries: (id, query = {}) => file.read(of(id, () => selectEntries(db, id, query))),
    redact: async (id, seqs) => {
      const entries = await file.write(() => redactRows(db, id, seqs, deps))
      await file.forget()
      return entries
    },
    summaries: (id, revision) => file.read(() => selectSummaries(db, id, revision)),
    keepSummaries: (id, revision, summaries) => note(() => replaceSummaries(db, id, revision, summaries)),
    accounts: (ids) => file.read(() => selectAccounts(db, ids)),
    keepAccount: (account) => note(() => replaceAccount(db, account)),
    chainPlaces: (values) => file.read(() => selectChainPlaces(db, values)),
    markChain: (id, marks, holder) => file.write(of(id, () => insertChainMarks(db, id, marks, holder))),
    search: (query) => file.read(() => searchRows(db, query)),
    acquireLease: (id, holder, ttlMs) => note(of(id, () => takeLease(db, { id, holder, ttlMs, ...now() }))),
    releaseLease: (id, token) => note(() => deleteLease(db, id, token)),
    pauseAppends: (id, ms) => note(of(id, () => insertPause(db, { id, ms, ...now() }))),
    resumeAppends: (id, token) => note(() => deletePause(db, id, token)),
    subscribe: (listener) => file.changes.subscribe(listener),
    sendSignal: async (signal) => {
      await note(of(signal.session, () => insertSignal(db, signal, deps.clock())))
      file.signals.poll()
    },
    receiveSignals: (listener) =>
      file.signals.subscribe(({ row, ...signal }) => {
        // A signal that cannot be deleted now is deleted later, when it has expired.
        if (listener(signal)) note(() => deleteSignal(db, row)).catch(() => undefined)
      }),
    stopWaiting: () => file.stopWaiting(),
    close: async () => file.close(),
  }

  /** Work on a session that has to be there. */
  function of<T>(id: SessionId, work: () => T): () => T {
    return () => {
      checkSession(db, id)
      return work()
    }
  }
}

/** Takes the lease if it is free, expired or the holder's own. */
function takeLease(
  database: Database,
  wanted: { id: SessionId; holder: string; ttlMs: number; now: number; token: string },
): Lease {
  const { id, holder, ttlMs, now, token } = wanted
  const held = database.prepared('SELECT holder, expires_at FROM leases WHERE session_id = ?').get(id)
  const refused = refusedLease(held as LeaseRow | undefined, holder, now)
  if (refused !== undefined) return refused
  database
    .prepared('INSERT OR REPLACE INTO leases (session_id, token, holder, expires_at) VALUES (?, ?, ?, ?)')
    .run(id, token, holder, now + ttlMs)
  return { ok: true, token }
}

/** Gives the lease back. If another holder has it now, nothing happens. */
function deleteLease(database: Database, id: SessionId, token: string): void {
  database.prepared('DELETE FROM leases WHERE session_id = ? AND token = ?').run(id, token)
}

type PauseRow = { readonly token: string; readonly until: number }

/** The pause that blocks an append with this token, if any. */
function pauseLeft(database: Database, id: SessionId, token: string | undefined, now: number): PauseLeft | undefined {
  const pause = database.prepared('SELECT token, until FROM pauses WHERE session_id = ?').get(id) as
    | PauseRow
    | undefined
  if (pause === undefined || pause.until <= now || pause.token === token) return undefined
  return { pausedMs: pause.until - now }
}

/** Begins a pause, unless there is one already. */
function insertPause(
  database: Database,
  wanted: { readonly id: SessionId; readonly ms: number; readonly now: number; readonly token: string },
): string | undefined {
  const { id, ms, now, token } = wanted
  if (pauseLeft(database, id, undefined, now) !== undefined) return undefined
  const sql = 'INSERT OR REPLACE INTO pauses (session_id, token, until) VALUES (?, ?, ?)'
  database.prepared(sql).run(id, token, now + Math.min(ms, MOST_PAUSE_MS))
  return token
}

function deletePause(database: Database, id: SessionId, token: string): void {
  database.prepared('DELETE FROM pauses WHERE session_id = ? AND token = ?').run(id, token)
}

/** Adds a session inside the caller's transaction. If the key was used before, it returns the session of the first time. */
function createSessionRow(database: Database, { key, ...draft }: SessionDraft, deps: StoreDeps): Session {
  const id = key === undefined ? deps.ids() : keyedId(key)
  const known = key === undefined ? undefined : selectSession(database, id)
  if (known !== undefined) return known
  // The row of a deleted session stays while forks share its entries.
  if (key !== undefined && isDeleted(database, id)) throw unknownSession(id)
  const parent = draft.parent === undefined ? undefined : existingSession(database, draft.parent.id)
  if (parent !== undefined && (draft.parent?.seq ?? 0) > parent.lastSeq) {
    throw new PithError('unknown-entry', `session ${parent.id} has no entry #${draft.parent?.seq}`)
  }
  const now = draft.createdAt ?? deps.clock()
  const lastSeq = draft.parent?.seq ?? 0
  const changes =
    parent === undefined
      ? []
      : selectEntries(database, parent.id, { upTo: lastSeq, only: 'changes', light: true }).entries
  const session: Session = {
    ...draft,
    id,
    createdAt: now,
    updatedAt: now,
    lastSeq,
    revision: changes.findLast(changesView)?.seq ?? 0,
  }
  insertSession(database, session)
  return session
}
