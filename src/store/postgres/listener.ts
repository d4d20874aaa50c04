import pg from 'pg'
import { z } from 'zod'
import { seqSchema } from '../../model/entry-parts-schema.ts'
import type { Seq } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import {
  type LogChange,
  type SessionId,
  SIGNAL_MS,
  type Signal,
  type StoreDeps,
  type StoredSignal,
  unknownSession,
} from '../store.ts'
import { ANSWER_MS, connectionConfig, type Db, rowsOf, storable, withDeadline } from './connection.ts'
import { readSession } from './session-queries.ts'

/** Stores a signal inside the caller's transaction, deletes those that nobody has served in time, and notifies every process. */
export async function sendSignal(db: Db, deps: StoreDeps, { session, kind, body }: Signal): Promise<void> {
  if ((await readSession(db, session)) === undefined) throw unknownSession(session)
  const now = deps.clock()
  await rowsOf(db, 'DELETE FROM signals WHERE at < $1', [now - SIGNAL_MS])
  await rowsOf(db, SEND, [storable(session), storable(kind), storable(body), now])
}

const SEND = `
  WITH sent AS (INSERT INTO signals (session_id, kind, body, at) VALUES ($1, $2, $3, $4) RETURNING id)
  SELECT pg_notify('pith', json_build_object('signal', id)::text) FROM sent`

/** A trigger sends each signal to this channel. The notice in `SEND` is for processes of an older version. */
const SIGNALS = 'pith_signals'

/** The signal of a row, unless it was served meanwhile. */
function readSignal(db: Db, row: number): Promise<StoredSignal[]> {
  return rowsOf<StoredSignal>(db, `${SELECT} WHERE id = $1`, [row])
}

/** The signals that were sent since a time. */
function signalsSince(db: Db, since: number): Promise<StoredSignal[]> {
  return rowsOf<StoredSignal>(db, `${SELECT} WHERE at >= $1 ORDER BY id`, [since])
}

const SELECT = 'SELECT id AS row, session_id AS session, kind, body FROM signals'

/** Deletes a signal that was served. */
async function forgetSignal(db: Db, row: number): Promise<void> {
  await rowsOf(db, 'DELETE FROM signals WHERE id = $1', [row])
}

/** How far the clocks of two processes may differ without missing a change while a connection is down. */
const CLOCK_SKEW_MS = 60_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 30_000
/** How many sessions we remember with the last entry that listeners got, and how many signals that they got. */
const REMEMBERED = 10_000

/** The entries that one append added to a session, as the writer announces them. */
type Append = z.infer<typeof appendSchema>
const appendSchema = z.object({ session: z.string(), from: seqSchema, seq: seqSchema })

/** How long a process listens to appends after its last listener has gone: most come back. */
const QUIET_MS = 60_000

/**
 * Lets appends send notices to this connection. After that, an append is heard or can be read: it either saw that somebody
 * listens, or was waited for.
 */
async function hearAppends(client: pg.Client): Promise<void> {
  const db = withDeadline(client, ANSWER_MS)
  await db.query(BEGIN_LISTENING).catch((error: unknown) => {
    // A user who may only read hears appends while another process listens.
    if (!(error instanceof pg.DatabaseError) || !/^(42501|25006)$/.test(error.code ?? '')) throw error
  })
  await db.query('SELECT pg_advisory_xact_lock(28777, 1)')
  await db.query('LISTEN pith')
}

/** A process that ends does not wait longer for a server that hangs. */
const CLOSE_MS = 1_000

/** Rows of processes that were killed are deleted here. */
const BEGIN_LISTENING = `
  WITH ended AS (DELETE FROM listening WHERE pid NOT IN (SELECT pid FROM pg_stat_activity))
  INSERT INTO listening (pid) VALUES (pg_backend_pid()) ON CONFLICT DO NOTHING`

async function ignoreAppends(client: pg.Client): Promise<void> {
  const db = withDeadline(client, CLOSE_MS)
  await db.query('UNLISTEN pith')
  await db.query('DELETE FROM listening WHERE pid = pg_backend_pid()').catch(() => undefined)
}

/**
 * Receives the notices of all appends and signals on the database. It has its own connection, and opens it again when it breaks.
 * Notices of appends cost every writer, so they can be left out until somebody subscribes.
 */
export class Listener {
  readonly #url: string
  readonly #clock: StoreDeps['clock']
  readonly #always: boolean
  readonly #listeners = new Set<(change: LogChange) => void>()
  readonly #receivers = new Set<(signal: Signal) => boolean>()
  /** The last entry of each session that the listeners got. */
  readonly #announced = new RecentMap<SessionId, Seq>(REMEMBERED)
  readonly #received = new RecentMap<number, true>(REMEMBERED)
  #client: pg.Client | undefined
  /** Settled when appends are heard; undefined while they are not. */
  #hearing: Promise<unknown> | undefined
  #quiet: NodeJS.Timeout | undefined
  #heardAt = 0
  readonly #openedAt: number
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(url: string, { clock, listens = 'always' }: StoreDeps) {
    this.#url = url
    this.#clock = clock
    this.#always = listens === 'always'
    this.#openedAt = clock()
    if (this.#always) this.#beginHearing()
  }

  /** Connects, lets `prepare` use the connection, then listens. */
  static async open(url: string, deps: StoreDeps, prepare: (db: pg.Client) => Promise<void>): Promise<Listener> {
    const listener = new Listener(url, deps)
    await listener.#connect(prepare)
    return listener
  }

  subscribe(listener: (change: LogChange) => void): () => void {
    // The same function may listen twice.
    const own = (change: LogChange) => listener(change)
    this.#listeners.add(own)
    clearTimeout(this.#quiet)
    if (this.#hearing === undefined) this.#beginHearing()
    return () => {
      this.#listeners.delete(own)
      if (this.#always || this.#listeners.size > 0 || this.#closed) return
      clearTimeout(this.#quiet)
      this.#quiet = setTimeout(() => this.#endHearing(), QUIET_MS).unref()
    }
  }

  /** Resolves when every append that is done later reaches the listeners. */
  async hearing(): Promise<void> {
    await this.#hearing
  }

  receiveSignals(receiver: (signal: Signal) => boolean): () => void {
    const own = (signal: Signal) => receiver(signal)
    this.#receivers.add(own)
    return () => {
      this.#receivers.delete(own)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#receivers.clear()
    clearTimeout(this.#timer)
    clearTimeout(this.#quiet)
    await this.#endHearing()
    await this.#client?.end().catch(() => undefined)
  }

  /** Without a connection, the next one begins with what has come since now. */
  #beginHearing(): void {
    this.#heardAt = this.#clock()
    this.#announced.clear()
    const client = this.#client
    this.#hearing = client === undefined ? Promise.resolve() : orEnd(client, hearAppends(client))
  }

  async #endHearing(): Promise<void> {
    const client = this.#client
    const wasHearing = this.#hearing !== undefined
    this.#hearing = undefined
    if (wasHearing && client !== undefined) await orEnd(client, ignoreAppends(client))
  }

  async #connect(prepare: (db: pg.Client) => Promise<void>): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig(this.#url))
    client.on('error', () => undefined)
    try {
      await client.connect()
      await prepare(client)
      client.on('notification', ({ channel, payload }) => this.#notice(client, channel, payload ?? ''))
      await withDeadline(client, ANSWER_MS).query(`LISTEN ${SIGNALS}`)
      if (this.#hearing !== undefined) await hearAppends(client)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    this.#client = client
    client.once('end', () => this.#reconnectAfter(FIRST_WAIT_MS))
    if (this.#closed) await client.end()
    return client
  }

  #reconnectAfter(waitMs: number): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      const since = this.#heardAt - CLOCK_SKEW_MS
      this.#connect(async () => undefined).then(
        // When this fails, the connection is useless. Ending it begins another attempt.
        (client) => this.#catchUp(withDeadline(client, ANSWER_MS), since).catch(() => client.end()),
        () => this.#reconnectAfter(Math.min(2 * waitMs, LONGEST_WAIT_MS)),
      )
    }, waitMs)
    this.#timer.unref()
  }

  #notice(client: pg.Client, channel: string, payload: string): void {
    if (channel !== SIGNALS) {
      const append = appendOf(payload)
      if (append !== undefined) this.#hear(append)
      return
    }
    if (this.#receivers.size === 0) return
    const db = withDeadline(client, ANSWER_MS)
    // When the connection breaks or is silent, the signal is read after the reconnection.
    readSignal(db, Number(payload))
      .then((signals) => this.#receive(db, signals))
      .catch(() => client.end().catch(() => undefined))
  }

  /** Passes on the appends and signals that came while the connection was down. */
  async #catchUp(db: Db, since: number): Promise<void> {
    const sql = `
      SELECT id AS session, last_seq AS "from", last_seq AS seq FROM sessions
      WHERE NOT hidden AND updated_at >= $1 AND last_seq > coalesce(parent_seq, 0)`
    if (this.#hearing !== undefined) for (const append of await rowsOf<Append>(db, sql, [since])) this.#hear(append)
    if (this.#receivers.size > 0) await this.#receive(db, await signalsSince(db, this.#openedAt - CLOCK_SKEW_MS))
  }

  /** Passes each signal on once, and deletes those that a receiver has served. */
  async #receive(db: Db, signals: readonly StoredSignal[]): Promise<void> {
    for (const { row, ...signal } of signals) {
      if (this.#closed || this.#received.has(row)) continue
      this.#received.set(row, true)
      const served = [...this.#receivers].map((receiver) => isServed(receiver, signal))
      if (served.includes(true)) await forgetSignal(db, row)
    }
  }

  /** Announces the entries of an append, and those before it whose notices were missed: a log has no gaps. */
  #hear(append: Append): void {
    if (this.#closed) return
    this.#heardAt = this.#clock()
    const { session, seq } = append
    const last = this.#announced.get(session)
    if (last !== undefined && seq <= last) return
    this.#announced.set(session, seq)
    for (let next = last === undefined ? append.from : last + 1; next <= seq; next++) {
      for (const listener of this.#listeners) callListener(listener, { session, seq: next })
    }
  }
}

/** An error of one listener stops neither the others nor the process. */
function callListener(listener: (change: LogChange) => unknown, change: LogChange): void {
  try {
    const result = listener(change)
    if (result instanceof Promise) result.catch(() => undefined)
  } catch {
    // See above.
  }
}

function isServed(receiver: (signal: Signal) => boolean, signal: Signal): boolean {
  try {
    return receiver(signal)
  } catch {
    return false
  }
}

/** Other programs may write to the channel too, and an older version sends signals to it. */
function appendOf(payload: string): Append | undefined {
  try {
    return appendSchema.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

/** A connection on which this fails is useless. Ending it begins another one. */
async function orEnd(client: pg.Client, work: Promise<void>): Promise<void> {
  await work.catch(() => client.end().catch(() => undefined))
}
