import * as context from '../../contract/routes/context-routes.ts'
import { sessionEventsRoute } from '../../contract/routes/event-routes.ts'
import { listEntriesRoute } from '../../contract/routes/message-routes.ts'
import { getSessionRoute } from '../../contract/routes/session-routes.ts'
import {
  type WireContext,
  type WireEntry,
  type WireSessionDetail,
  wireEntrySchema,
} from '../../contract/shapes/shapes.ts'
import { entryFromWire, fromWire } from '../../contract/shapes/wire.ts'
import type { Entry } from '../../model/types.ts'
import type { SessionSpending } from '../../session/account/spent-meter.ts'
import type { OpenedSession, PortEvent } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import type { RemoteClient } from './remote-client.ts'

/** The most entries of the log that the first screen shows. */
const SHOWN_ENTRIES = 400
const PAGE = 500
const AGAIN_MS = 1_000

/** The name that is shown if a server has no model. */
export const NO_MODEL_NAME = 'none'

/** One session of a server. Each of its entries is emitted once and in order, no matter which process appended it. */
export class RemoteSession {
  readonly id: string
  readonly #client: RemoteClient
  readonly #emit: (event: PortEvent) => void
  readonly #stop = new AbortController()
  #lastEmitted = 0
  /** True while our own turn or compaction runs. Its events have more details than the log. */
  #isWorking = false
  #waiting: Entry[] = []
  /** In US dollars so far; undefined when a price is unknown. */
  #spending: Pick<SessionSpending, 'cost' | 'knownCost'> = {}
  title: string | undefined
  isEmpty = true

  constructor(client: RemoteClient, id: string, emit: (event: PortEvent) => void) {
    this.id = id
    this.#client = client
    this.#emit = emit
  }

  /** The parameters of a route of this session. */
  get params(): { readonly id: string } {
    return { id: this.id }
  }

  detail(): Promise<WireSessionDetail> {
    return this.#client.ask(getSessionRoute, { params: this.params })
  }

  context(): Promise<WireContext> {
    return this.#client.ask(context.getContextRoute, { params: this.params })
  }

  async spent(): Promise<SessionSpending> {
    return fromWire(await this.#client.ask(context.getSpentRoute, { params: this.params }))
  }

  async files(q: string): Promise<readonly string[]> {
    const { paths } = await this.#client.ask(context.findFilesRoute, { params: this.params, query: { q } })
    return paths
  }

  /** Reads the session, and listens to its events from then on. */
  async open(): Promise<OpenedSession> {
    const opened = await this.#read()
    void this.#listen()
    return opened
  }

  async #read(): Promise<OpenedSession> {
    const [detail, context, log, { cost, knownCost }] = await Promise.all([
      this.detail(),
      this.context(),
      this.#entries({ limit: SHOWN_ENTRIES }),
      this.spent(),
    ])
    this.#spending = { cost, knownCost }
    this.#lastEmitted = log.at(-1)?.seq ?? 0
    this.title = detail.title
    this.isEmpty = detail.last_seq === 0
    return { ...openedOf(detail, context, log), cost, knownCost }
  }

  close(): void {
    this.#stop.abort()
  }

  /** Runs our own work. Entries that others append during it are emitted after it. */
  async working(work: () => Promise<void>): Promise<void> {
    this.#isWorking = true
    try {
      await work()
    } finally {
      this.#isWorking = false
      await this.#emitAll(this.#waiting.splice(0))
    }
  }

  /** Emits an entry of our own work. Entries that others appended before it come first. */
  async emitOwn(entry: Entry): Promise<void> {
    if (entry.seq > this.#lastEmitted + 1) await this.#emitBefore(entry.seq)
    this.#emitEntry(entry)
  }

  async #emitBefore(seq: number): Promise<void> {
    for (let page: readonly Entry[], isMore = true; isMore; isMore = page.length === PAGE) {
      page = await this.#entries({ limit: PAGE, after: this.#lastEmitted })
      await this.#emitAll(page.filter((each) => each.seq < seq))
    }
  }

  /** Emits an entry that was not emitted yet. */
  #emitEntry(entry: Entry): void {
    if (entry.seq <= this.#lastEmitted) return
    this.#lastEmitted = entry.seq
    this.isEmpty = false
    if (entry.type === 'settings' && entry.title !== undefined) {
      this.title = entry.title
      this.#emit({ type: 'title', title: entry.title })
    }
    this.#emit({ type: 'entry', entry })
  }

  /** Emits the entries that were appended since, and the status. */
  async catchUp(): Promise<void> {
    await this.#emitAll(await this.#entries({ limit: PAGE, after: this.#lastEmitted }))
    await this.refreshStatus()
  }

  async #entries(page: { readonly limit: number; readonly after?: number }): Promise<Entry[]> {
    const { entries } = await this.#client.ask(listEntriesRoute, {
      params: this.params,
      query: { only: 'all', ...page },
    })
    return knownEntries(entries)
  }

  async refreshStatus(): Promise<void> {
    const [{ status, policy }, { cost, knownCost }] = await Promise.all([this.context(), this.spent()])
    this.#spending = { cost, knownCost }
    this.emitStatus(status, policy.suggest_percent)
  }

  emitStatus(status: WireContext['status'], suggestPercent: number): void {
    this.#emit({ type: 'status', status, suggestPercent, ...this.#spending })
  }

  /** Follows the events; after a disconnect it resumes at the last emitted entry. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const query = { after: this.#lastEmitted }
        for await (const { event, data } of this.#client.events(sessionEventsRoute, {
          params: this.params,
          query,
          signal,
        }))
          if (event === 'entry') for (const entry of knownEntries([data.entry])) await this.#received(entry)
      } catch {
        // Try again later. The user's next request will show that the server is not reachable.
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
    }
  }

  async #received(entry: Entry): Promise<void> {
    if (this.#isWorking) this.#waiting.push(entry)
    else if (entry.seq > this.#lastEmitted) {
      await this.#emitAll([entry])
      await this.refreshStatus()
    }
  }

  /** Emits entries. A redacted text may be anywhere on the screen, so after a redaction the whole session is read and shown again. */
  async #emitAll(entries: readonly Entry[]): Promise<void> {
    if (entries.some(({ type, seq }) => type === 'redact' && seq > this.#lastEmitted)) {
      this.#emit({ type: 'opened', opened: await this.#read(), redacted: true })
    } else for (const entry of entries) this.#emitEntry(entry)
  }
}

function openedOf(detail: WireSessionDetail, context: WireContext, entries: OpenedSession['entries']): OpenedSession {
  const { id, title, workspace, model, no_model, status } = detail
  return {
    session: { id, title: title === undefined ? undefined : safeText(title), workspace: workspace || 'server' },
    model: model ?? NO_MODEL_NAME,
    noModel: no_model,
    permissions: 'server',
    status,
    suggestPercent: context.policy.suggest_percent,
    entries,
    earlier: Math.max(0, (entries[0]?.seq ?? 1) - 1),
    firstRun: false,
  }
}

const TYPES: ReadonlySet<string> = new Set(wireEntrySchema.shape.type.options)

/** The entries of known types. A newer server may have others, which this terminal skips. */
export function knownEntries(values: readonly WireEntry[]): Entry[] {
  return values.filter(({ type }) => TYPES.has(type)).map(entryFromWire)
}
