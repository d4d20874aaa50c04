import * as context from '../../contract/context-routes.ts'
import { sessionEventsRoute } from '../../contract/event-routes.ts'
import { listEntriesRoute } from '../../contract/message-routes.ts'
import { getSessionRoute } from '../../contract/session-routes.ts'
import type { WireContext, WireSessionDetail } from '../../contract/shapes.ts'
import { entryFromWire, fromWire } from '../../contract/wire.ts'
import type { Entry } from '../../model/entry.ts'
import type { Spent } from '../../session/spent-meter.ts'
import type { Opened, PortEvent } from '../port-data.ts'
import type { RemoteClient } from './remote-client.ts'
import { openedOf } from './remote-reports.ts'

/** Entries that a screen begins with. */
const SHOWN_ENTRIES = 400
const AGAIN_MS = 1_000

/** One session of a server: each of its entries is told once and in order, whoever appended it. */
export class RemoteSession {
  readonly id: string
  readonly #client: RemoteClient
  readonly #emit: (event: PortEvent) => void
  readonly #stop = new AbortController()
  #told = 0
  /** While we work ourselves, what we get as its answer tells more than the log does. */
  #isWorking = false
  #waiting: Entry[] = []
  /** In US dollars so far, as far as the prices are known. */
  #cost: number | undefined
  title: string | undefined
  isEmpty = true

  constructor(client: RemoteClient, id: string, emit: (event: PortEvent) => void) {
    this.id = id
    this.#client = client
    this.#emit = emit
  }

  /** What names the session in a call. */
  get params(): { readonly id: string } {
    return { id: this.id }
  }

  detail(): Promise<WireSessionDetail> {
    return this.#client.ask(getSessionRoute, { params: this.params })
  }

  context(): Promise<WireContext> {
    return this.#client.ask(context.getContextRoute, { params: this.params })
  }

  async spent(): Promise<Spent> {
    return fromWire(await this.#client.ask(context.getSpentRoute, { params: this.params }))
  }

  async files(q: string): Promise<readonly string[]> {
    const { paths } = await this.#client.ask(context.findFilesRoute, { params: this.params, query: { q } })
    return paths
  }

  /** The session as it is now; from here on others are listened to. */
  async open(): Promise<Opened> {
    const [detail, context, log, { cost }] = await Promise.all([
      this.detail(),
      this.context(),
      this.#entries({ limit: SHOWN_ENTRIES }),
      this.spent(),
    ])
    this.#cost = cost
    this.#told = log.at(-1)?.seq ?? 0
    this.title = detail.title
    this.isEmpty = detail.last_seq === 0
    void this.#listen()
    return { ...openedOf(detail, context, log), cost }
  }

  close(): void {
    this.#stop.abort()
  }

  /** Does something whose own events come first; what others appended meanwhile is told after it. */
  async working(work: () => Promise<void>): Promise<void> {
    this.#isWorking = true
    try {
      await work()
    } finally {
      this.#isWorking = false
      for (const entry of this.#waiting.splice(0)) this.tell(entry)
    }
  }

  /** Tells an entry that was not told yet. */
  tell(entry: Entry): void {
    if (entry.seq <= this.#told) return
    this.#told = entry.seq
    this.isEmpty = false
    if (entry.type === 'settings' && entry.title !== undefined) {
      this.title = entry.title
      this.#emit({ type: 'title', title: entry.title })
    }
    this.#emit({ type: 'entry', entry })
  }

  /** Tells what was appended since, and how full the context is now. */
  async catchUp(): Promise<void> {
    for (const entry of await this.#entries({ limit: 500, after: this.#told })) this.tell(entry)
    await this.tellStatus()
  }

  async #entries(page: { readonly limit: number; readonly after?: number }): Promise<Entry[]> {
    const { entries } = await this.#client.ask(listEntriesRoute, {
      params: this.params,
      query: { only: 'all', ...page },
    })
    return entries.map(entryFromWire)
  }

  async tellStatus(): Promise<void> {
    const [{ status, policy }, { cost }] = await Promise.all([this.context(), this.spent()])
    this.#cost = cost
    this.emitStatus(status, policy.suggest_percent)
  }

  emitStatus(status: WireContext['status'], suggestPercent: number): void {
    this.#emit({ type: 'status', status, suggestPercent, cost: this.#cost })
  }

  /** A connection that breaks is made again, from the entry that was told last. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const query = { after: this.#told }
        for await (const { event, data } of this.#client.events(sessionEventsRoute, {
          params: this.params,
          query,
          signal,
        }))
          if (event === 'entry') await this.#heard(entryFromWire(data.entry))
      } catch {
        // The next try says whether the server is back; what the user does meanwhile tells them that it is not.
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
    }
  }

  async #heard(entry: Entry): Promise<void> {
    if (this.#isWorking) this.#waiting.push(entry)
    else if (entry.seq > this.#told) {
      this.tell(entry)
      await this.tellStatus()
    }
  }
}
