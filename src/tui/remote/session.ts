import type { Entry } from '../../model/entry.ts'
import type { Opened, PortEvent, SpentReport } from '../port-data.ts'
import type { RemoteClient } from './client.ts'
import { openedOf } from './reports.ts'
import {
  type Context,
  contextSchema,
  type Detail,
  detailSchema,
  entriesSchema,
  entryIn,
  filesSchema,
  spentSchema,
} from './shapes.ts'

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

  get path(): string {
    return `/v1/sessions/${encodeURIComponent(this.id)}`
  }

  detail(): Promise<Detail> {
    return this.#client.ask(detailSchema, 'GET', this.path)
  }

  context(): Promise<Context> {
    return this.#client.ask(contextSchema, 'GET', `${this.path}/context`)
  }

  spent(): Promise<SpentReport> {
    return this.#client.ask(spentSchema, 'GET', `${this.path}/spent`)
  }

  async files(query: string): Promise<readonly string[]> {
    const { paths } = await this.#client.ask(filesSchema, 'GET', `${this.path}/files?q=${encodeURIComponent(query)}`)
    return paths
  }

  /** The session as it is now; from here on others are listened to. */
  async open(): Promise<Opened> {
    const page = `${this.path}/messages?only=all&limit=${SHOWN_ENTRIES}`
    const [detail, context, { entries }, { cost }] = await Promise.all([
      this.detail(),
      this.context(),
      this.#client.ask(entriesSchema, 'GET', page),
      this.spent(),
    ])
    this.#cost = cost
    const log = entries.map(entryIn)
    this.#told = log.at(-1)?.seq ?? 0
    this.title = detail.title
    this.isEmpty = detail.lastSeq === 0
    void this.#listen()
    return { ...openedOf(detail, context, log), ...(cost === undefined ? {} : { cost }) }
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
    const page = `${this.path}/messages?only=all&limit=500&after=${this.#told}`
    const { entries } = await this.#client.ask(entriesSchema, 'GET', page)
    for (const entry of entries.map(entryIn)) this.tell(entry)
    await this.tellStatus()
  }

  async tellStatus(): Promise<void> {
    const [{ status, policy }, { cost }] = await Promise.all([this.context(), this.spent()])
    this.#cost = cost
    this.emitStatus(status, policy.suggestPercent)
  }

  emitStatus(status: Context['status'], suggestPercent: number): void {
    const cost = this.#cost === undefined ? {} : { cost: this.#cost }
    this.#emit({ type: 'status', status, suggestPercent, ...cost })
  }

  /** A connection that breaks is made again, from the entry that was told last. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const events = this.#client.events('GET', `${this.path}/events?after=${this.#told}`, undefined, signal)
        for await (const { event, data } of events) if (event === 'entry') await this.#heard(entryIn(data.entry))
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
