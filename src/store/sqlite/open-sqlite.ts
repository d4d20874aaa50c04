import type { DatabaseSync } from 'node:sqlite'
import { changesView } from '../../engine/view/changes-view.ts'
import { PithError } from '../../model/errors.ts'
import { keyedId } from '../keyed-id.ts'
import type { Session, SessionDraft, Store, StoreDeps } from '../store.ts'
import { unknownSession } from '../unknown-session.ts'
import { whenResumed } from '../when-resumed.ts'
import { replaceAccount, selectAccounts } from './account-rows.ts'
import { appendRows, selectAppended } from './append-rows.ts'
import { insertChainMarks, selectChainPlaces } from './chain-rows.ts'
import { BUSY_MS, inLightTransaction, inTransaction, openDatabase, withFileErrors } from './database.ts'
import { CHANGE_ROWS, selectEntries } from './entry-rows.ts'
import { deleteLease, takeLease } from './lease-rows.ts'
import { LockWait, SLICE_MS } from './lock-wait.ts'
import { deletePause, insertPause, pauseLeft } from './pause-rows.ts'
import { redactRows } from './redact-rows.ts'
import { RowFeed } from './row-feed.ts'
import { SearchIndexer, truncateLog } from './search-index.ts'
import { searchRows } from './search-rows.ts'
import {
  checkSession,
  deleteSessionRows,
  existingSession,
  insertSession,
  isDeleted,
  selectSession,
  selectSessions,
} from './session-rows.ts'
import { deleteSignal, insertSignal, SIGNAL_ROWS } from './signal-rows.ts'
import { replaceSummaries, selectSummaries } from './summary-rows.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const lock = new LockWait(deps.busyMs ?? BUSY_MS)
  const database = await lock.inTurn(() => openDatabase(path, SLICE_MS))
  const changes = new RowFeed(database, CHANGE_ROWS)
  const signals = new RowFeed(database, SIGNAL_ROWS)
  const index = new SearchIndexer(database)
  const guarded = <T>(work: () => T): Promise<T> => lock.atOnce(() => withFileErrors(path, work))
  const inTurn = <T>(work: () => T): Promise<T> => lock.inTurn(() => withFileErrors(path, work))
  const write = async <T>(work: () => T): Promise<T> => {
    const result = await inTurn(() => inTransaction(database, work))
    changes.poll()
    index.soon()
    return result
  }
  const note = <T>(work: () => T): Promise<T> => inTurn(() => inLightTransaction(database, work))
  // Several redactions at once empty the write-ahead log once.
  let emptying: Promise<void> | undefined
  const emptyLog = (): Promise<void> => {
    emptying ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
      emptying = undefined
      // While another process reads from the log, this is left to the index.
      await guarded(() => truncateLog(database))
    })
    return emptying
  }
  return {
    createSession: (draft) => write(() => create(database, draft, deps)),
    session: (id) => guarded(() => selectSession(database, id)),
    sessions: (query = {}) => guarded(() => selectSessions(database, query)),
    renameSession: async (id, title) => {
      await write(() => appendRows(database, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) =>
      write(() => {
        checkSession(database, id)
        return deleteSessionRows(database, id)
      }),
    append: (id, drafts, options = {}) =>
      whenResumed((waits) =>
        write(() => {
          const pause = waits === 'for-a-pause' ? pauseLeft(database, id, options.pause, deps.clock()) : undefined
          return pause ?? appendRows(database, id, drafts, options, deps)
        }),
      ),
    appended: (id, key) =>
      guarded(() => {
        checkSession(database, id)
        return selectAppended(database, id, key)
      }),
    entries: (id, query = {}) =>
      guarded(() => {
        checkSession(database, id)
        return selectEntries(database, id, query)
      }),
    redact: async (id, seqs) => {
      const entries = await write(() => redactRows(database, id, seqs, deps))
      index.afterRedaction()
      await emptyLog()
      return entries
    },
    summaries: (id, revision) => guarded(() => selectSummaries(database, id, revision)),
    keepSummaries: (id, revision, summaries) => note(() => replaceSummaries(database, id, revision, summaries)),
    accounts: (ids) => guarded(() => selectAccounts(database, ids)),
    keepAccount: (account) => note(() => replaceAccount(database, account)),
    chainPlaces: (values) => guarded(() => selectChainPlaces(database, values)),
    markChain: (id, marks, holder) =>
      write(() => {
        checkSession(database, id)
        insertChainMarks(database, id, marks, holder)
      }),
    search: (query) => guarded(() => searchRows(database, query)),
    acquireLease: (id, holder, ttlMs) =>
      note(() => {
        checkSession(database, id)
        return takeLease(database, { id, holder, ttlMs, now: deps.clock(), token: deps.ids() })
      }),
    releaseLease: (id, token) => note(() => deleteLease(database, id, token)),
    pauseAppends: (id, ms) =>
      note(() => {
        checkSession(database, id)
        return insertPause(database, { id, ms, now: deps.clock(), token: deps.ids() })
      }),
    resumeAppends: (id, token) => note(() => deletePause(database, id, token)),
    subscribe: (listener) => changes.subscribe(listener),
    sendSignal: async (signal) => {
      await note(() => {
        checkSession(database, signal.session)
        insertSignal(database, signal, deps.clock())
      })
      signals.poll()
    },
    receiveSignals: (listener) =>
      signals.subscribe(({ row, ...signal }) => {
        // A signal that cannot be deleted now is deleted when it is too old.
        if (listener(signal)) note(() => deleteSignal(database, row)).catch(() => undefined)
      }),
    stopWaiting: () => lock.stopWaiting(),
    close: async () => {
      changes.close()
      signals.close()
      index.close()
      if (database.isOpen) database.close()
    },
  }
}

function create(database: DatabaseSync, { key, ...draft }: SessionDraft, deps: StoreDeps): Session {
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
