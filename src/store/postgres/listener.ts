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
const noticeSchema = z.union([appendSchema, z.object({ signal: z.number() })])

/** Receives the notices of all appends and signals on the database. It has its own connection, and opens it again when it breaks. */
export class Listener {
  readonly #url: string
  readonly #clock: StoreDeps['clock']
  readonly #listeners = new Set<(change: LogChange) => void>()
  readonly #receivers = new Set<(signal: Signal) => boolean>()
  /** The last entry of each session that the listeners got. */
  readonly #announced = new RecentMap<SessionId, Seq>(REMEMBERED)
  readonly #received = new RecentMap<number, true>(REMEMBERED)
  #client: pg.Client | undefined
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(url: string, clock: StoreDeps['clock']) {
    this.#url = url
    this.#clock = clock
  }

  /** Connects, lets `prepare` use the connection, then listens. */
  static async open(
    url: string,
    clock: StoreDeps['clock'],
    prepare: (db: pg.Client) => Promise<void>,
  ): Promise<Listener> {
    const listener = new Listener(url, clock)
    await listener.#connect(prepare)
    return listener
  }

  subscribe(listener: (change: LogChange) => void): () => void {
    // The same function may listen twice.
    const own = (change: LogChange) => listener(change)
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
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
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(prepare: (db: pg.Client) => Promise<void>): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig(this.#url))
    client.on('error', () => undefined)
    try {
      await client.connect()
      await prepare(client)
      client.on('notification', ({ payload }) => this.#notice(client, payload ?? ''))
      await withDeadline(client, ANSWER_MS).query('LISTEN pith')
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    this.#client = client
    this.#heardAt ||= this.#clock()
    client.once('end', () => this.#reconnectAfter(FIRST_WAIT_MS))
    if (this.#closed) await client.end()
    return client
  }

  #reconnectAfter(waitMs: number): void {
    if (this.#closed) return
    const since = this.#heardAt - CLOCK_SKEW_MS
    this.#timer = setTimeout(() => {
      this.#connect(async () => undefined).then(
        // When this fails, the connection is useless. Ending it begins another attempt.
        (client) => this.#catchUp(withDeadline(client, ANSWER_MS), since).catch(() => client.end()),
        () => this.#reconnectAfter(Math.min(2 * waitMs, LONGEST_WAIT_MS)),
      )
    }, waitMs)
    this.#timer.unref()
  }

  #notice(client: pg.Client, payload: string): void {
    const notice = noticeOf(payload)
    if (notice === undefined) return
    if (!('signal' in notice)) return this.#hear(notice)
    if (this.#receivers.size === 0) return
    const db = withDeadline(client, ANSWER_MS)
    // When the connection breaks or is silent, the signal is read after the reconnection.
    readSignal(db, notice.signal)
      .then((signals) => this.#receive(db, signals))
      .catch(() => client.end().catch(() => undefined))
  }

  /** Passes on the appends and signals that came while the connection was down. */
  async #catchUp(db: Db, since: number): Promise<void> {
    const sql = `
      SELECT id AS session, last_seq AS "from", last_seq AS seq FROM sessions
      WHERE NOT hidden AND updated_at >= $1 AND last_seq > coalesce(parent_seq, 0)`
    for (const append of await rowsOf<Append>(db, sql, [since])) this.#hear(append)
    if (this.#receivers.size > 0) await this.#receive(db, await signalsSince(db, since))
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

/** Other programs may write to the channel too. */
function noticeOf(payload: string): z.infer<typeof noticeSchema> | undefined {
  try {
    return noticeSchema.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}
