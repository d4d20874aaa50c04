import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { changesView } from '../../engine/context/view/activity.ts'
import { PithError } from '../../model/problems/errors.ts'
import { KeptSegments } from '../../search/kept-segments.ts'
import { PauseWait } from '../rows/new-entries.ts'
import { keyedId } from '../rows/table-rows.ts'
import {
  type Session,
  type SessionDraft,
  type SessionId,
  type Store,
  type StoreDeps,
  unknownSession,
} from '../store.ts'
import {
  addToSpending,
  deleteGrant,
  insertGrant,
  insertToken,
  markRemoved,
  selectAccess,
  selectSpending,
  updateToken,
} from './access-rows.ts'
import {
  deleteLease,
  deletePause,
  insertPause,
  insertTask,
  pauseLeft,
  replaceAccount,
  replaceSummaries,
  selectAccounts,
  selectLease,
  selectSummaries,
  takeLease,
} from './beside-log.ts'
import type { Database } from './database.ts'
import { DatabaseFile } from './database-file.ts'
import { deleteSessionRows, deleteUnusedRows, selectDeletion, selectStored } from './delete-rows.ts'
import { appendRows, selectAppended, selectEntries } from './entry-rows.ts'
import { diskFull } from './open-database.ts'
import { redactRows } from './redact-rows.ts'
import { deleteSignal, insertSignal } from './row-feed.ts'
import { searchRows } from './search-rows.ts'
import {
  existingSession,
  insertChainMarks,
  insertSession,
  isDeleted,
  selectChainPlaces,
  selectSession,
  selectSessions,
} from './session-rows.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const file = await DatabaseFile.open(path, deps)
  const db = file.database
  const kept = new KeptSegments()
  const note = <T>(work: () => T) => file.write(work, 'beside-log')
  const now = () => ({ now: deps.clock(), token: deps.ids() })
  return {
    createSession: (draft) => file.write(() => createSessionRow(db, draft, deps)),
    session: (id) => file.read(() => selectSession(db, id)),
    sessions: (query = {}) => file.read(() => selectSessions(db, query, deps.clock())),
    renameSession: async (id, title) => {
      await file.write(() => appendRows(db, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) => file.write(of(id, () => deleteSessionRows(db, id))),
    deleteUnused: (id, since) => file.write(() => deleteUnusedRows(db, id, { since, now: deps.clock() })),
    measureDeletion: (ids) => file.read(() => selectDeletion(db, ids)),
    storedAmong: (ids) => file.read(() => selectStored(db, ids)),
    takeTask: (name, holder, ms) => note(() => insertTask(db, { name, holder, ms, now: deps.clock() })),
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
    search: (query) => searchRows(db, kept, query, (work) => file.read(work)),
    acquireLease: (id, holder, ttlMs) => note(of(id, () => takeLease(db, { id, holder, ttlMs, ...now() }))),
    releaseLease: (id, token) => note(() => deleteLease(db, id, token)),
    lease: (id) => file.read(() => selectLease(db, id, deps.clock())),
    pauseAppends: (id, ms) => note(of(id, () => insertPause(db, { id, ms, ...now() }))),
    resumeAppends: (id, token) => note(() => deletePause(db, id, token)),
    subscribe: (listener) => file.onChange(listener),
    sendSignal: async (signal) => {
      await note(of(signal.session, () => insertSignal(db, signal, deps.clock())))
      file.pollSignals()
    },
    receiveSignals: (listener) =>
      file.onSignal(({ row, ...signal }) => {
        // A signal that cannot be deleted now is deleted later, when it has expired.
        if (listener(signal)) note(() => deleteSignal(db, row)).catch(() => undefined)
      }),
    access: (known) => file.read(() => selectAccess(db, known)),
    addToken: (token) => file.write(() => insertToken(db, token)),
    changeToken: (name, body) => file.write(() => updateToken(db, name, body)),
    removeToken: (name) => file.write(() => markRemoved(db, name)),
    addGrant: (grant) => file.write(() => insertGrant(db, grant, deps.clock())),
    removeGrant: (hash) => file.write(() => deleteGrant(db, hash)),
    addSpending: (spending) => note(() => addToSpending(db, spending)),
    spending: (day) => file.read(() => selectSpending(db, day)),
    checkSpace: () => checkSpace(path),
    stopWaiting: () => file.stopWaiting(),
    close: async () => file.close(),
  }

  /** Work on a session that has to be there. */
  function of<T>(id: SessionId, work: () => T): () => T {
    return () => {
      existingSession(db, id)
      return work()
    }
  }
}

/** Less free space than this counts as none: a message may be that long, and the write-ahead log grows by more than the message. */
const LEAST_BYTES = 1024 * 1024

async function checkSpace(path: string): Promise<void> {
  if (path === ':memory:') return
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < LEAST_BYTES) throw diskFull(path, `${bavail * bsize} bytes are free`)
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
