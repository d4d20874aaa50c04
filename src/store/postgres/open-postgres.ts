import { PithError } from '../../model/problems/errors.ts'
import { PauseWait } from '../pause-wait.ts'
import type { Store, StoreDeps } from '../store.ts'
import { unknownSession } from '../unknown-session.ts'
import { readAccounts, writeAccount } from './accounts.ts'
import { appendAtOnce, isPlain } from './append-at-once.ts'
import { appendEntries, appendUnlessPaused, readAppended } from './append-entries.ts'
import { AppendGroup } from './append-group.ts'
import { readChainPlaces, writeChainMarks } from './chains.ts'
import { ANSWER_MS, createPool, type Db, repeated, rowsOf, transaction } from './connection.ts'
import { acquireLease, releaseLease } from './lease.ts'
import { Listener } from './listener.ts'
import { migrate } from './migrate.ts'
import { beginPause, endPause } from './pause.ts'
import { readEntries } from './read-entries.ts'
import { redactEverywhere } from './redact-everywhere.ts'
import { removeSession } from './remove-session.ts'
import { searchEntries } from './search.ts'
import { addressOf, withServerErrors } from './server-error.ts'
import { addSession, readSession, readSessions } from './session-queries.ts'
import { sendSignal } from './signals.ts'
import { StoreCalls } from './store-calls.ts'
import { readSummaries, writeSummaries } from './summaries.ts'

/** Sessions in a PostgreSQL database, for any number of processes. Brings the schema up to date first. */
export async function openPostgres(url: string, deps: StoreDeps): Promise<Store> {
  const where = addressOf(url)
  // The connection that migrates goes on to listen, so that later subscribers miss no append.
  const listener = await withServerErrors(where, () =>
    Listener.open(url, deps.clock, async (db) => {
      await checkEncoding(db, where)
      await migrate(db, where)
    }),
  )
  const pool = createPool(url, deps)
  const group = new AppendGroup(pool, deps)
  const calls = new StoreCalls()
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    calls.run(() => withServerErrors(where, () => work(pool)))
  const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    calls.run(() => withServerErrors(where, () => transaction(pool, work)))
  let closing: Promise<unknown> | undefined
  return {
    createSession: (draft) => write((db) => addSession(db, deps, draft)),
    session: (id) => read((db) => readSession(db, id)),
    sessions: (query) => read((db) => readSessions(db, query)),
    async renameSession(id, title) {
      await write((db) => appendEntries(db, deps, id, [{ type: 'settings', title }]))
    },
    deleteSession: (id) => write((db) => removeSession(db, id)),
    // One call from its start to its end, so that closing waits for all of it.
    append: (id, drafts, options = {}) =>
      read(async (db) => {
        const together = await group.append(id, drafts, options)
        if (together !== undefined) return together
        const wait = new PauseWait()
        for (;;) {
          const answer = isPlain(drafts, options)
            ? await repeated(() => appendAtOnce(db, deps, id, drafts, options, wait))
            : await transaction(
                pool,
                (one) => (wait.isOver ? appendEntries : appendUnlessPaused)(one, deps, id, drafts, options),
                deps.answerMs ?? ANSWER_MS,
              )
          if (!('pausedMs' in answer)) return answer
          await wait.after(answer)
        }
      }),
    appended: (id, key) =>
      read(async (db) => {
        if ((await readSession(db, id)) === undefined) throw unknownSession(id)
        return readAppended(db, id, key)
      }),
    entries: (id, query) => read((db) => readEntries(db, id, query)),
    redact: (id, seqs) => write((db) => redactEverywhere(db, deps, id, seqs)),
    summaries: (id, revision) => read((db) => readSummaries(db, id, revision)),
    keepSummaries: (id, revision, summaries) => write((db) => writeSummaries(db, id, revision, summaries)),
    accounts: (ids) => read((db) => readAccounts(db, ids)),
    keepAccount: (account) => write((db) => writeAccount(db, account)),
    chainPlaces: (values) => read((db) => readChainPlaces(db, values)),
    markChain: (id, marks, holder) => write((db) => writeChainMarks(db, id, marks, holder)),
    search: (query) => read((db) => searchEntries(db, query)),
    acquireLease: (id, holder, ttlMs) => write((db) => acquireLease(db, deps, { id, holder, ttlMs })),
    releaseLease: (id, token) => read((db) => releaseLease(db, id, token)),
    pauseAppends: (id, ms) => write((db) => beginPause(db, deps, id, ms)),
    resumeAppends: (id, token) => read((db) => endPause(db, id, token)),
    subscribe: (told) => listener.subscribe(told),
    sendSignal: (signal) => write((db) => sendSignal(db, deps, signal)),
    receiveSignals: (receive) => listener.receiveSignals(receive),
    connections: () => ({ all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
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
