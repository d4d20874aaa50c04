import { PauseWait } from '../pause-wait.ts'
import type { SessionId, Store, StoreDeps } from '../store.ts'
import { replaceAccount, selectAccounts } from './account-rows.ts'
import { appendRows, selectAppended } from './append-rows.ts'
import { insertChainMarks, selectChainPlaces } from './chain-rows.ts'
import { createSessionRow } from './create-session-row.ts'
import { DatabaseFile } from './database-file.ts'
import { selectEntries } from './entry-rows.ts'
import { deleteLease, takeLease } from './lease-rows.ts'
import { deletePause, insertPause, pauseLeft } from './pause-rows.ts'
import { redactRows } from './redact-rows.ts'
import { searchRows } from './search-rows.ts'
import { checkSession, deleteSessionRows, selectSession, selectSessions } from './session-rows.ts'
import { deleteSignal, insertSignal } from './signal-rows.ts'
import { replaceSummaries, selectSummaries } from './summary-rows.ts'

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
        // A signal that cannot be deleted now is deleted when it is too old.
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
