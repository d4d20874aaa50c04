import { setTimeout as sleep } from 'node:timers/promises'
import { ANSWER_MS, createPool, type Db, type PoolLimits, transaction } from './connection.ts'
import {
  endSearchTexts,
  hasSearchTexts,
  indexWaitingEntries,
  isBehind,
  mergeSegments,
  takesIndexing,
  waitingState,
} from './search-index.ts'

/** Entries that are appended one after the other go into the index together. */
const WAKE_MS = 1_000
/** After a failure, and while another process indexes. */
const RETRY_MS = 10_000
/** Indexing takes at most this share of the time, so that the other work of this process and of the server is done. */
const SHARE = 1 / 2

/** Brings the index of words up to date in the background, together with all processes that have the database open. */
export class Indexer {
  readonly #pool: ReturnType<typeof createPool>
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWoken = false
  /** The search by pieces of text still answers, and appends still add to it. Once it has ended it never comes back. */
  hasTexts: boolean

  /** Its connection is its own, so that no append waits for it, and closed while there is nothing to index. */
  constructor(url: string, limits: PoolLimits, hasTexts: boolean) {
    this.#pool = createPool(url, { ...limits, poolSize: 1 })
    this.hasTexts = hasTexts
  }

  /** Indexes soon. */
  wake(): void {
    this.#isWoken = true
    if (this.#running === undefined) this.#schedule(WAKE_MS)
  }

  /** Stops after the step that runs. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#running
    await this.#pool.end()
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== undefined || this.#closing.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#runOnce()
    }, afterMs)
    // A program that has nothing else to do ends: the entries wait for the next one.
    this.#timer.unref()
  }

  async #runOnce(): Promise<void> {
    this.#isWoken = false
    const isDone = await this.#indexAll().catch(() => false)
    this.#running = undefined
    if (!isDone) this.#schedule(RETRY_MS)
    else if (this.#isWoken) this.#schedule(WAKE_MS)
  }

  /**
   * Indexes and merges until nothing is left; false if another process does. What comes meanwhile waits for the next time: a
   * transaction for a few entries costs nearly as much as one for many.
   */
  async #indexAll(): Promise<boolean> {
    const { signal } = this.#closing
    for (;;) {
      const began = performance.now()
      const hasMore = await this.#alone((db) => indexWaitingEntries(db, 'leave'))
      const isMerged = await this.#alone((db) => mergeSegments(db, signal))
      if (hasMore === undefined || isMerged === undefined) return false
      if (!hasMore && !isMerged) break
      await sleep((performance.now() - began) * (1 / SHARE - 1), undefined, { signal, ref: false })
    }
    return !this.hasTexts || (await this.#alone((db) => this.#endTexts(db))) === true
  }

  #alone<T>(work: (db: Db) => Promise<T>): Promise<T | undefined> {
    this.#closing.signal.throwIfAborted()
    const alone = async (db: Db) => ((await takesIndexing(db)) ? work(db) : undefined)
    return transaction(this.#pool, alone, ANSWER_MS)
  }

  /** From now on the index of words answers. A search reads the few entries that wait. */
  async #endTexts(db: Db): Promise<boolean> {
    if (isBehind(await waitingState(db))) return false
    if (await hasSearchTexts(db)) await endSearchTexts(db)
    this.hasTexts = false
    return true
  }
}
