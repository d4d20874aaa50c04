import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { PithError } from '../../model/problems/errors.ts'
import type { EntryDraft } from '../../model/types.ts'
import { KeptSegments } from '../../search/kept-segments.ts'
import { migrationsOf, pendingMigrations } from '../migrations.ts'
import { PauseWait } from '../rows/new-entries.ts'
import {
  type AppendOptions,
  type AppendResult,
  type SessionId,
  type Store,
  type StoreDeps,
  unknownSession,
} from '../store.ts'
import {
  endGrant,
  endToken,
  readAccess,
  readSpending,
  rewriteToken,
  sumSpending,
  writeGrant,
  writeToken,
} from './access-queries.ts'
import { AppendGroup, appendAtOnce, isPlain } from './append-at-once.ts'
import { appendEntries, appendUnlessPaused, readAppended } from './append-entries.ts'
import {
  acquireLease,
  beginPause,
  endPause,
  readAccounts,
  readChainPlaces,
  readLease,
  readSummaries,
  releaseLease,
  takeTask,
  writeAccount,
  writeChainMarks,
  writeSummaries,
} from './beside-log.ts'
import {
  ANSWER_MS,
  addressOf,
  type CallKind,
  createPool,
  type Db,
  LONG_ANSWER_MS,
  LostAnswer,
  repeated,
  rowsOf,
  singleStatements,
  transaction,
  withServerErrors,
} from './connection.ts'
import { readDeletion, readStored, removeSession, removeUnused } from './delete-sessions.ts'
import { Indexer } from './indexer.ts'
import { Listener, sendSignal } from './listener.ts'
import type { AppendDeps } from './phrase-search.ts'
import { readEntries } from './read-entries.ts'
import { redactEverywhere } from './redact-everywhere.ts'
import { searchEntries } from './search.ts'
import { hasSearchTexts } from './search-index.ts'
import { addSession, readSession, readSessions } from './session-queries.ts'

/** Sessions in a PostgreSQL database, for any number of processes. Brings the schema up to date first. */
export async function openPostgres(url: string, sources: StoreDeps): Promise<Store> {
  const where = addressOf(url)
  let hasTexts = true
  // The connection that migrates then listens, so that later subscribers miss no append.
  const listener = await withServerErrors(where, () =>
    Listener.open(url, sources, async (db) => {
      await checkEncoding(db, where)
      await migrate(db, where)
      hasTexts = await hasSearchTexts(db)
    }),
  )
  const pool = createPool(url, sources)
  const indexer = new Indexer(url, sources, hasTexts)
  const deps: AppendDeps = Object.create(sources, { texts: { value: indexer } })
  const single = singleStatements(pool)
  const group = new AppendGroup(single, deps)
  const calls = new StoreCalls()
  let wasFull = false
  const run = <T>(work: () => Promise<T>, kind: CallKind): Promise<T> =>
    calls.run(() =>
      withServerErrors(where, work, kind).catch((error: unknown) => {
        wasFull ||= error instanceof PithError && error.code === 'store-full'
        throw error
      }),
    )
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => run(() => work(single), 'read')
  const write = <T>(work: (db: Db) => Promise<T>, answerMs?: number): Promise<T> => {
    indexer.wake()
    return run(() => transaction(pool, work, answerMs), 'write')
  }
  // A process may have ended before its entries were indexed.
  indexer.wake()
  const kept = new KeptSegments()
  let closing: Promise<unknown> | undefined
  return {
    createSession: (draft) => write((db) => addSession(db, deps, draft)),
    session: (id) => read((db) => readSession(db, id)),
    sessions: (query) => read((db) => readSessions(db, deps, query)),
    async renameSession(id, title) {
      await write((db) => appendEntries(db, deps, id, [{ type: 'settings', title }]))
    },
    deleteSession: (id) => write((db) => removeSession(db, id), LONG_ANSWER_MS),
    deleteUnused: (id, since) => write((db) => removeUnused(db, deps, id, since), LONG_ANSWER_MS),
    measureDeletion: (ids) => run(() => transaction(pool, (db) => readDeletion(db, ids), LONG_ANSWER_MS), 'read'),
    storedAmong: (ids) => read((db) => readStored(db, ids)),
    takeTask: (name, holder, ms) => write((db) => takeTask(db, deps, { name, holder, ms })),
    // One call from its start to its end, so that closing waits for all of it.
    append: (id, drafts, options = {}) => {
      indexer.wake()
      const alone = () => appendAlone({ pool, single, deps }, id, drafts, options)
      const together = async () => (await group.append(id, drafts, options)) ?? alone()
      return run(() => (options.key === undefined ? together() : twice(together, alone)), 'write')
    },
    appended: (id, key) =>
      read(async (db) => {
        if ((await readSession(db, id)) === undefined) throw unknownSession(id)
        return readAppended(db, id, key)
      }),
    entries: (id, query) => read((db) => readEntries(db, id, query)),
    redact: (id, seqs) => write((db) => redactEverywhere(db, deps, id, seqs), LONG_ANSWER_MS),
    summaries: (id, revision) => read((db) => readSummaries(db, id, revision)),
    keepSummaries: (id, revision, summaries) => write((db) => writeSummaries(db, id, revision, summaries)),
    accounts: (ids) => read((db) => readAccounts(db, ids)),
    keepAccount: (account) => write((db) => writeAccount(db, account)),
    chainPlaces: (values) => read((db) => readChainPlaces(db, values)),
    markChain: (id, marks, holder) => write((db) => writeChainMarks(db, id, marks, holder)),
    search: (query) => read(() => searchEntries(pool, indexer, kept, query)),
    acquireLease: (id, holder, ttlMs) => write((db) => acquireLease(db, deps, { id, holder, ttlMs })),
    releaseLease: (id, token) => read((db) => releaseLease(db, id, token)),
    lease: (id) => read((db) => readLease(db, id, deps.clock())),
    pauseAppends: (id, ms) => write((db) => beginPause(db, deps, id, ms)),
    resumeAppends: (id, token) => read((db) => endPause(db, id, token)),
    subscribe: (listen) => listener.subscribe(listen),
    hearing: () => listener.hearing(),
    sendSignal: (signal) => write((db) => sendSignal(db, deps, signal)),
    receiveSignals: (receive) => listener.receiveSignals(receive),
    access: (known) => read((db) => readAccess(db, known)),
    addToken: (token) => write((db) => writeToken(db, token)),
    changeToken: (name, body) => write((db) => rewriteToken(db, name, body)),
    removeToken: (name) => write((db) => endToken(db, name)),
    addGrant: (grant) => write((db) => writeGrant(db, grant, deps.clock())),
    removeGrant: (hash) => write((db) => endGrant(db, hash)),
    addSpending: (spending) => run(() => sumSpending(single, spending), 'write'),
    spending: (day) => read((db) => readSpending(db, day)),
    async checkSpace() {
      // Nobody but the server sees its disk. A try writes, so only a write that failed before is a reason for one.
      if (wasFull) await run(() => trySpace(pool), 'read')
      wasFull = false
    },
    connections: () => ({ all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closing ??= Promise.all([listener.close(), indexer.close(), calls.close().then(() => pool.end())])
      await closing
    },
  }
}

type Connections = { readonly pool: pg.Pool; readonly single: Db; readonly deps: AppendDeps }

/** Appends without the appends of others, when nobody pauses the session. */
async function appendAlone(
  { pool, single, deps }: Connections,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
): Promise<AppendResult> {
  const wait = new PauseWait()
  for (;;) {
    const answer = isPlain(drafts, options)
      ? await repeated(() => appendAtOnce(single, deps, id, drafts, options, wait))
      : await transaction(
          pool,
          (one) => (wait.isOver ? appendEntries : appendUnlessPaused)(one, deps, id, drafts, options),
          deps.answerMs ?? ANSWER_MS,
        )
    if (!('pausedMs' in answer)) return answer
    await wait.after(answer)
  }
}

/**
 * Runs an append with a key, and once more if its answer is lost: it is still done only once. If the second try fails for
 * whatever reason, it remains unknown whether the first one was done.
 */
async function twice(first: () => Promise<AppendResult>, again: () => Promise<AppendResult>): Promise<AppendResult> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error
    return again().catch((second: unknown) => {
      throw second instanceof PithError ? second : error
    })
  }
}

/** Writes as much as a long message to the disk of the server, and undoes it. */
async function trySpace(pool: pg.Pool): Promise<void> {
  const undone = new Error('undone')
  const sql = "INSERT INTO search_segments (owner, sessions, docs, count) VALUES ('', '[]', $1, 0)"
  const work = async (db: Db) => {
    await rowsOf(db, sql, [randomBytes(TRY_BYTES)])
    throw undone
  }
  await transaction(pool, work).catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

const TRY_BYTES = 256 * 1024

async function checkEncoding(db: Db, where: string): Promise<void> {
  const [row] = await rowsOf<{ server_encoding: string }>(db, 'SHOW server_encoding')
  if (row?.server_encoding === 'UTF8') return
  throw new PithError(
    'store-unwritable',
    `${where} has the encoding ${row?.server_encoding}: create the database with ENCODING 'UTF8'`,
  )
}

/** The calls that are running. A pool that ends leaves callers without a connection waiting, so it ends after all calls. */
export class StoreCalls {
  readonly #calls = new Set<Promise<unknown>>()
  #closed = false

  /** Runs the call, unless the store is closed. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The store is closed')
    const running = call()
    this.#calls.add(running)
    try {
      return await running
    } finally {
      this.#calls.delete(running)
    }
  }

  /** Refuses new calls and waits for those that run. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#calls)
  }
}

/** The lock that two processes take in turn when they open at once: any number that other programs do not use. */
const LOCK = 0x70697468

/** Brings the schema up to date, all or nothing. A newer schema is refused; `where` names the database in the message. */
async function migrate(db: Db, where: string): Promise<void> {
  await db.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await rowsOf(db, 'SELECT pg_advisory_xact_lock($1)', [LOCK])
    for (const { version, sql } of pendingMigrations(migrationsOf('postgres'), await currentVersion(db), where)) {
      await db.query(sql)
      await rowsOf(db, 'INSERT INTO pith_schema (version) VALUES ($1)', [version])
    }
    await db.query('COMMIT')
  } catch (error) {
    await db.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Creates the table only if it is missing, so that a user without that permission can open a database that is up to date. */
async function currentVersion(db: Db): Promise<number> {
  const [found] = await rowsOf<{ exists: boolean }>(db, `SELECT to_regclass('pith_schema') IS NOT NULL AS exists`)
  if (found?.exists !== true) await db.query('CREATE TABLE pith_schema (version integer PRIMARY KEY)')
  const [row] = await rowsOf<{ version: number | null }>(db, 'SELECT max(version) AS version FROM pith_schema')
  return row?.version ?? 0
}
