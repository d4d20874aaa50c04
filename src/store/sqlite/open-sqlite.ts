import type { DatabaseSync } from 'node:sqlite'
import type { LogChange, SessionId, Store, StoreDeps, StoredSignal } from '../store.ts'
import { whenResumed } from '../when-resumed.ts'
import { replaceAccount, selectAccounts } from './account-rows.ts'
import { appendRows, appendRowsUnlessPaused, selectAppended } from './append-rows.ts'
import { insertChainMarks, selectChainPlaces } from './chain-rows.ts'
import { createSessionRow } from './create-session-row.ts'
import { BUSY_MS, inLightTransaction, inTransaction, openDatabase, openReadOnly, withFileErrors } from './database.ts'
import { CHANGE_ROWS, selectEntries } from './entry-rows.ts'
import { deleteLease, takeLease } from './lease-rows.ts'
import { LockWait, SLICE_MS } from './lock-wait.ts'
import { deletePause, insertPause } from './pause-rows.ts'
import { isUnwritable } from './read-only.ts'
import { redactRows } from './redact-rows.ts'
import { RowFeed } from './row-feed.ts'
import { SearchIndexer, truncateLog } from './search-index.ts'
import { searchRows } from './search-rows.ts'
import { checkSession, deleteSessionRows, selectSession, selectSessions } from './session-rows.ts'
import { deleteSignal, insertSignal, SIGNAL_ROWS } from './signal-rows.ts'
import { replaceSummaries, selectSummaries } from './summary-rows.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const lock = new LockWait(deps.busyMs ?? BUSY_MS)
  const isToRead = deps.unwritable === 'read' && isUnwritable(path)
  const db = await lock.inTurn(() => (isToRead ? openReadOnly : openDatabase)(path, SLICE_MS))
  const file = new OpenFile(path, db, lock)
  const now = () => ({ now: deps.clock(), token: deps.ids() })
  return {
    createSession: (draft) => file.write(() => createSessionRow(db, draft, deps)),
    session: (id) => file.read(() => selectSession(db, id)),
    sessions: (query = {}) => file.read(() => selectSessions(db, query)),
    renameSession: async (id, title) => {
      await file.write(() => appendRows(db, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) => file.write(of(id, () => deleteSessionRows(db, id))),
    append: (id, drafts, options = {}) =>
      whenResumed((waits) => {
        const append = waits === 'for-a-pause' ? appendRowsUnlessPaused : appendRows
        return file.write(() => append(db, id, drafts, options, deps))
      }),
    appended: (id, key) => file.read(of(id, () => selectAppended(db, id, key))),
    entries: (id, query = {}) => file.read(of(id, () => selectEntries(db, id, query))),
    redact: async (id, seqs) => {
      const entries = await file.write(() => redactRows(db, id, seqs, deps))
      await file.forget()
      return entries
    },
    summaries: (id, revision) => file.read(() => selectSummaries(db, id, revision)),
    keepSummaries: (id, revision, summaries) => file.note(() => replaceSummaries(db, id, revision, summaries)),
    accounts: (ids) => file.read(() => selectAccounts(db, ids)),
    keepAccount: (account) => file.note(() => replaceAccount(db, account)),
    chainPlaces: (values) => file.read(() => selectChainPlaces(db, values)),
    markChain: (id, marks, holder) => file.write(of(id, () => insertChainMarks(db, id, marks, holder))),
    search: (query) => file.read(() => searchRows(db, query)),
    acquireLease: (id, holder, ttlMs) => file.note(of(id, () => takeLease(db, { id, holder, ttlMs, ...now() }))),
    releaseLease: (id, token) => file.note(() => deleteLease(db, id, token)),
    pauseAppends: (id, ms) => file.note(of(id, () => insertPause(db, { id, ms, ...now() }))),
    resumeAppends: (id, token) => file.note(() => deletePause(db, id, token)),
    subscribe: (listener) => file.changes.subscribe(listener),
    sendSignal: async (signal) => {
      await file.note(of(signal.session, () => insertSignal(db, signal, deps.clock())))
      file.signals.poll()
    },
    receiveSignals: (listener) =>
      file.signals.subscribe(({ row, ...signal }) => {
        // A signal that cannot be deleted now is deleted when it is too old.
        if (listener(signal)) file.note(() => deleteSignal(db, row)).catch(() => undefined)
      }),
    stopWaiting: () => lock.stopWaiting(),
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

/** How work reaches the file, and those who have to know of it afterwards. */
class OpenFile {
  readonly changes: RowFeed<LogChange>
  readonly signals: RowFeed<StoredSignal>
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #lock: LockWait
  readonly #index: SearchIndexer
  #emptying: Promise<void> | undefined

  constructor(path: string, database: DatabaseSync, lock: LockWait) {
    this.#path = path
    this.#database = database
    this.#lock = lock
    this.changes = new RowFeed(database, CHANGE_ROWS)
    this.signals = new RowFeed(database, SIGNAL_ROWS)
    this.#index = new SearchIndexer(database)
  }

  read<T>(work: () => T): Promise<T> {
    return this.#lock.atOnce(() => withFileErrors(this.#path, work))
  }

  /** Changes the log, in a transaction that survives a crash. */
  async write<T>(work: () => T): Promise<T> {
    const result = await this.#inTurn(() => inTransaction(this.#database, work))
    this.changes.poll()
    this.#index.soon()
    return result
  }

  /** Changes what is kept beside the log. */
  note<T>(work: () => T): Promise<T> {
    return this.#inTurn(() => inLightTransaction(this.#database, work))
  }

  /** After a redaction: takes its texts out of the index and the write-ahead log. Several at once empty that log once. */
  async forget(): Promise<void> {
    this.#index.afterRedaction()
    this.#emptying ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
      this.#emptying = undefined
      // While another process reads from the log, this is left to the index.
      await this.read(() => truncateLog(this.#database))
    })
    await this.#emptying
  }

  close(): void {
    this.changes.close()
    this.signals.close()
    this.#index.close()
    if (this.#database.isOpen) this.#database.close()
  }

  #inTurn<T>(work: () => T): Promise<T> {
    return this.#lock.inTurn(() => withFileErrors(this.#path, work))
  }
}
