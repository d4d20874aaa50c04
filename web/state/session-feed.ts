import type { WireCompaction } from '../../src/contract/shapes/compaction-shapes.ts'
import type { WireContext, WireContextHistory, WireSessionDetail } from '../../src/contract/shapes/shapes.ts'
import type { WireEvent } from '../../src/contract/shapes/wire-events.ts'
import { type ApiClient, isRefusedAnswer, type PageAnswer, sessionPath } from '../api/api-client.ts'
import { follow } from '../api/follow.ts'
import { type CompactionOnPage, runningAfter } from './compact-run.ts'
import type { LogPages } from './log-pages.ts'
import { type Refresher, refresher } from './refresher.ts'

/** The state of a session on the screen. */
export type SessionSnapshot = {
  readonly data?: SessionData
  readonly lastSeq: number
  /** Counts up with every change: parts that load data of their own load it again then. */
  readonly version: number
  /** Counts up with every redaction: parts that keep texts of their own drop them then. */
  readonly redactions: number
  readonly live: boolean
  /** A running compaction, requested by anybody or automatic. */
  readonly compaction?: CompactionOnPage
  readonly error?: string
}

type Change = (update: (known: SessionSnapshot) => SessionSnapshot) => void

const SETTLE_MS = 150

/** The pause before the next history, because the history of a long log takes the server a while. */
const HISTORY_PAUSE_MS = 1_000

/** The pause before a session that could not be loaded is requested again. */
const RETRY_MS = 2_000

const GONE = 'There is no such session here. It may have been deleted, or it is not one of yours.'

/** Loads a session and keeps it up to date with its events until it is stopped. */
export class SessionFeed {
  readonly #client: ApiClient
  readonly #id: string
  readonly #log: LogPages
  readonly #change: Change
  readonly #beginning: Refresher
  readonly #upkeep: Refresher
  readonly #history: Refresher
  #unfollow = () => {}
  #isStopped = false
  /** An entry other than a message came in: the next refresh loads the whole session. */
  #isChanged = false
  #wasAway = false
  /** True until a provider's count comes after the last compaction. */
  #awaitsReport = true

  constructor(client: ApiClient, id: string, log: LogPages, change: Change) {
    this.#client = client
    this.#id = id
    this.#log = log
    this.#change = (update) => {
      if (!this.#isStopped) change(update)
    }
    this.#beginning = refresher(() => this.start(), RETRY_MS)
    this.#upkeep = refresher(() => (this.#isChanged ? this.#load() : this.#extend()), SETTLE_MS)
    this.#history = refresher(() => this.#loadHistory(), HISTORY_PAUSE_MS)
  }

  async start(): Promise<void> {
    const first = await this.#load()
    if (this.#isStopped || isRefusedAnswer(first)) return
    if (!first.ok) return this.#beginning.again()
    this.#unfollow = follow(this.#client, {
      path: sessionPath(this.#id, `/events?after=${first.value.detail.last_seq}`),
      onEvent: (event) => this.#onEvent(event),
      onLive: (isLive) => this.#onLive(isLive),
      onRefused: (error) => this.#change((known) => ({ ...known, error })),
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#beginning.stop()
    this.#upkeep.stop()
    this.#history.stop()
    this.#unfollow()
  }

  async #load(): Promise<PageAnswer<SessionData>> {
    this.#isChanged = false
    const loaded = await loadSession(this.#client, this.#id)
    if (!loaded.ok) {
      const error = loaded.status === 404 ? GONE : loaded.message
      this.#change((known) => ({ ...known, error }))
      return loaded
    }
    const data = loaded.value
    this.#change(({ data: before, lastSeq, version, redactions, live, compaction }) => ({
      data: { ...data, history: before?.history },
      live,
      compaction,
      redactions,
      lastSeq: Math.max(lastSeq, data.detail.last_seq),
      version: version + 1,
    }))
    this.#history.now()
    return loaded
  }

  /** Loads the history for the chart. The log does not wait for it. */
  async #loadHistory(): Promise<void> {
    const loaded = await loadHistory(this.#client, this.#id)
    if (!loaded.ok) {
      if (!isRefusedAnswer(loaded)) return this.#history.again()
      return this.#change((known) => ({ ...known, error: loaded.message }))
    }
    this.#change((known) => {
      if (known.data === undefined) return known
      // Changes since the request are not in it: the next history has them.
      const data = { ...known.data, history: loaded.value }
      return { ...known, data: withPoint(data, data.detail, data.context) }
    })
  }

  /** After messages only: adds a point to the history instead of loading all of it. */
  async #extend(): Promise<void> {
    const [detail, context] = await loadStatus(this.#client, this.#id)
    if (!detail.ok || !context.ok) return
    this.#change((known) => ({
      ...known,
      data: known.data && withPoint(known.data, detail.value, context.value),
      version: known.version + 1,
    }))
  }

  #onEvent(wireEvent: WireEvent): void {
    const { event, data } = wireEvent
    this.#change((known) => {
      const compaction = runningAfter(known.compaction, wireEvent, Date.now())
      return compaction === known.compaction ? known : { ...known, compaction }
    })
    if (event !== 'entry') return
    const { type, usage } = data.entry
    // The count after a compaction shows how many tokens it really saved.
    const isRecount = this.#awaitsReport && usage !== undefined
    if (type === 'compaction' || type === 'mask') this.#awaitsReport = true
    else if (isRecount) this.#awaitsReport = false
    const isMessage = type === 'message' && !isRecount
    const isRedaction = type === 'redact'
    this.#change((known) => ({
      ...known,
      lastSeq: Math.max(known.lastSeq, data.seq),
      redactions: known.redactions + (isRedaction ? 1 : 0),
    }))
    // A message is added at the end; any other entry may change the place of every entry.
    this.#isChanged ||= !isMessage
    if (isRedaction) this.#log.forget()
    else this.#log.expire(isMessage ? data.seq : 1)
    this.#upkeep.again()
  }

  #onLive(live: boolean): void {
    // Without events we do not know whether a compaction still runs.
    this.#change((known) => ({ ...known, live, ...(live ? {} : { compaction: undefined }) }))
    if (live && this.#wasAway) this.#reload()
    this.#wasAway = !live
  }

  /** After a disconnect: requests that failed meanwhile are sent again. */
  #reload(): void {
    this.#isChanged = true
    this.#log.expire()
    this.#upkeep.again()
  }
}

/** The data of a session that is shown. */
export type SessionData = {
  readonly detail: WireSessionDetail
  readonly context: WireContext
  /** It is loaded last, because the history of a long log takes a while. */
  readonly history?: WireContextHistory
  readonly compactions: readonly WireCompaction[]
}

/**
 * Loads the parts that change with every message. The session comes first, so that the context is not older than its
 * last entry.
 */
async function loadStatus(
  client: ApiClient,
  id: string,
): Promise<[PageAnswer<WireSessionDetail>, PageAnswer<WireContext>]> {
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  return [detail, await client.ask<WireContext>(sessionPath(id, '/context'))]
}

/** The data with one more point of the history. */
function withPoint(known: SessionData, detail: WireSessionDetail, context: WireContext): SessionData {
  const { history } = known
  if (history === undefined) return { ...known, detail, context }
  const point = { seq: detail.last_seq, at: detail.updated_at, tokens: context.status.tokens, parts: context.parts }
  const points = [...history.points.filter(({ seq }) => seq < point.seq), point]
  return { ...known, detail, context, history: { ...history, points } }
}

/** Loads the context over the life of a session. */
function loadHistory(client: ApiClient, id: string): Promise<PageAnswer<WireContextHistory>> {
  return client.ask<WireContextHistory>(sessionPath(id, '/context/history?points=800'))
}

/** Loads all data of a session except its history. */
async function loadSession(client: ApiClient, id: string): Promise<PageAnswer<SessionData>> {
  // The session comes first: events are followed from its last entry on, so nothing else may be older.
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  if (!detail.ok) return detail
  const [context, compactions] = await Promise.all([
    client.ask<WireContext>(sessionPath(id, '/context')),
    client.ask<{ compactions: WireCompaction[] }>(sessionPath(id, '/compactions')),
  ])
  if (!context.ok) return context
  if (!compactions.ok) return compactions
  return {
    ok: true,
    value: {
      detail: detail.value,
      context: context.value,
      compactions: compactions.value.compactions,
    },
  }
}
