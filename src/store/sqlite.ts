import type { DatabaseSync } from 'node:sqlite'
import { changesView } from '../engine/view/view-of.ts'
import { PithError } from '../model/errors.ts'
import { keyedId } from './keyed-id.ts'
import { appendDrafts, appendedUnder } from './sqlite/append-rows.ts'
import { lightTransaction, openDatabase, transaction, withClearErrors } from './sqlite/database.ts'
import { CHANGE_ROWS, readEntries } from './sqlite/entry-rows.ts'
import { LaterIndex } from './sqlite/later-index.ts'
import { acquire, release } from './sqlite/lease-rows.ts'
import { redact } from './sqlite/redact-rows.ts'
import { RowFeed } from './sqlite/row-feed.ts'
import { searchRows } from './sqlite/search-rows.ts'
import {
  deleteRows,
  findSession,
  insertSession,
  isDeleted,
  listSessions,
  requireSession,
  requireThere,
} from './sqlite/session-rows.ts'
import { deleteSignal, insertSignal, SIGNAL_ROWS } from './sqlite/signal-rows.ts'
import { readSummaries, writeSummaries } from './sqlite/summary-rows.ts'
import type { Session, SessionDraft, Store, StoreDeps } from './store.ts'
import { unknownSession } from './unknown-session.ts'

/** Sessions in one SQLite file, for any number of processes on one machine. */
export async function openSqlite(path: string, deps: StoreDeps): Promise<Store> {
  const database = openDatabase(path)
  const changes = new RowFeed(database, CHANGE_ROWS)
  const signals = new RowFeed(database, SIGNAL_ROWS)
  const index = new LaterIndex(database)
  const guarded = async <T>(work: () => T): Promise<T> => withClearErrors(path, work)
  const write = async <T>(work: () => T): Promise<T> => {
    const result = await guarded(() => transaction(database, work))
    changes.poll()
    index.soon()
    return result
  }
  const note = <T>(work: () => T): Promise<T> => guarded(() => lightTransaction(database, work))
  return {
    createSession: (draft) => write(() => create(database, draft, deps)),
    session: (id) => guarded(() => findSession(database, id)),
    sessions: (query = {}) => guarded(() => listSessions(database, query)),
    renameSession: async (id, title) => {
      await write(() => appendDrafts(database, id, [{ type: 'settings', title }], {}, deps))
    },
    deleteSession: (id) =>
      write(() => {
        requireThere(database, id)
        return deleteRows(database, id)
      }),
    append: (id, drafts, options = {}) => write(() => appendDrafts(database, id, drafts, options, deps)),
    appended: (id, key) =>
      guarded(() => {
        requireThere(database, id)
        return appendedUnder(database, id, key)
      }),
    entries: (id, query = {}) =>
      guarded(() => {
        requireThere(database, id)
        return readEntries(database, id, query)
      }),
    redact: async (id, seq) => {
      const entry = await write(() => redact(database, id, seq, deps))
      // The old text is still in the write-ahead log until that is folded in and cut.
      await guarded(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      return entry
    },
    summaries: (id, revision) => guarded(() => readSummaries(database, id, revision)),
    keepSummaries: (id, revision, summaries) => note(() => writeSummaries(database, id, revision, summaries)),
    search: (query) => guarded(() => searchRows(database, query)),
    acquireLease: (id, holder, ttlMs) =>
      note(() => {
        requireThere(database, id)
        return acquire(database, { id, holder, ttlMs, now: deps.clock(), token: deps.ids() })
      }),
    releaseLease: (id, token) => note(() => release(database, id, token)),
    subscribe: (listener) => changes.subscribe(listener),
    sendSignal: async (signal) => {
      await note(() => {
        requireThere(database, signal.session)
        insertSignal(database, signal, deps.clock())
      })
      signals.poll()
    },
    receiveSignals: (listener) =>
      signals.subscribe(({ row, ...signal }) => {
        // One that cannot be deleted now is deleted when it is too old.
        if (listener(signal)) note(() => deleteSignal(database, row)).catch(() => undefined)
      }),
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
  const known = key === undefined ? undefined : findSession(database, id)
  if (known !== undefined) return known
  // The row of a deleted session stays while forks share its entries.
  if (key !== undefined && isDeleted(database, id)) throw unknownSession(id)
  const parent = draft.parent === undefined ? undefined : requireSession(database, draft.parent.id)
  if (parent !== undefined && (draft.parent?.seq ?? 0) > parent.lastSeq) {
    throw new PithError('unknown-entry', `session ${parent.id} has no entry #${draft.parent?.seq}`)
  }
  const now = deps.clock()
  const lastSeq = draft.parent?.seq ?? 0
  const changes =
    parent === undefined
      ? []
      : readEntries(database, parent.id, { upTo: lastSeq, only: 'changes', light: true }).entries
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
