import { PithError } from '../model/errors.ts'
import { appendEntries, appendedUnder } from './postgres/append.ts'
import { placeOf, withClearErrors } from './postgres/clear-error.ts'
import { createPool, type Db, rowsOf, transaction } from './postgres/connection.ts'
import { deleteSession } from './postgres/delete-session.ts'
import { readEntries } from './postgres/entries.ts'
import { InFlight } from './postgres/in-flight.ts'
import { acquireLease, releaseLease } from './postgres/leases.ts'
import { Listener } from './postgres/listener.ts'
import { migrate } from './postgres/migrate.ts'
import { redactEntry } from './postgres/redact.ts'
import { searchEntries } from './postgres/search.ts'
import { createSession, listSessions, readSession } from './postgres/sessions.ts'
import { sendSignal } from './postgres/signals.ts'
import { readSummaries, writeSummaries } from './postgres/summaries.ts'
import type { Store, StoreDeps } from './store.ts'
import { unknownSession } from './unknown-session.ts'

/** Sessions in a PostgreSQL database, which any number of processes share. Brings its schema up to date first. */
export async function openPostgres(url: string, deps: StoreDeps): Promise<Store> {
  const where = placeOf(url)
  // The connection that migrates goes on to listen: no append is missed by who subscribes later.
  const listener = await withClearErrors(where, () =>
    Listener.open(url, deps.clock, async (db) => {
      await checkEncoding(db, where)
      await migrate(db, where)
    }),
  )
  const pool = createPool(url)
  const calls = new InFlight()
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    calls.run(() => withClearErrors(where, () => work(pool)))
  const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    calls.run(() => withClearErrors(where, () => transaction(pool, work)))
  let closing: Promise<unknown> | undefined
  return {
    createSession: (draft) => write((db) => createSession(db, deps, draft)),
    session: (id) => read((db) => readSession(db, id)),
    sessions: (query) => read((db) => listSessions(db, query)),
    async renameSession(id, title) {
      await write((db) => appendEntries(db, deps, id, [{ type: 'settings', title }]))
    },
    deleteSession: (id) => write((db) => deleteSession(db, id)),
    append: (id, drafts, options) => write((db) => appendEntries(db, deps, id, drafts, options)),
    appended: (id, key) =>
      read(async (db) => {
        if ((await readSession(db, id)) === undefined) throw unknownSession(id)
        return appendedUnder(db, id, key)
      }),
    entries: (id, query) => read((db) => readEntries(db, id, query)),
    redact: (id, seq) => write((db) => redactEntry(db, deps, id, seq)),
    summaries: (id, revision) => read((db) => readSummaries(db, id, revision)),
    keepSummaries: (id, revision, summaries) => write((db) => writeSummaries(db, id, revision, summaries)),
    search: (query) => read((db) => searchEntries(db, query)),
    acquireLease: (id, holder, ttlMs) => write((db) => acquireLease(db, deps, { id, holder, ttlMs })),
    releaseLease: (id, token) => read((db) => releaseLease(db, id, token)),
    subscribe: (told) => listener.subscribe(told),
    sendSignal: (signal) => write((db) => sendSignal(db, deps, signal)),
    receiveSignals: (receive) => listener.receiveSignals(receive),
    async close() {
      closing ??= Promise.all([listener.close(), calls.close().then(() => pool.end())])
      await closing
    },
  }
}

async function checkEncoding(db: Db, where: string): Promise<void> {
  const [row] = await rowsOf<{ server_encoding: string }>(db, 'SHOW server_encoding')
  if (row?.server_encoding === 'UTF8') return
  throw new PithError(
    'store-unwritable',
    `${where} has the encoding ${row?.server_encoding}: create the database with ENCODING 'UTF8'`,
  )
}
