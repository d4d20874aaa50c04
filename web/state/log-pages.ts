import type { WirePlacedEntry } from '../../src/contract/shapes/shapes.ts'

const PAGE = 100
const KEPT_PAGES = 40

type Page = { readonly entries: ReadonlyMap<number, WirePlacedEntry>; fresh: boolean }

export type LoadEntries = (after: number, limit: number) => Promise<readonly WirePlacedEntry[] | undefined>

/**
 * The pages of a log around the visible entries. Pages are loaded when they become visible and dropped when there are many.
 */
export class LogPages {
  readonly #load: LoadEntries
  readonly #onChange: () => void
  readonly #pages = new Map<number, Page>()
  readonly #loading = new Set<number>()
  readonly #again = new Set<number>()
  #shown: readonly number[] = []
  #forgotten = 0

  constructor(load: LoadEntries, onChange: () => void) {
    this.#load = load
    this.#onChange = onChange
  }

  at(seq: number): WirePlacedEntry | undefined {
    return this.#pages.get(pageOf(seq))?.entries.get(seq)
  }

  /** True when the page of this seq is loaded: an entry that is missing then is an unreadable row. */
  has(seq: number): boolean {
    return this.#pages.has(pageOf(seq))
  }

  /** These seqs are in sight. */
  show(first: number, last: number): void {
    const pages = []
    for (let page = pageOf(first); page <= pageOf(last); page++) pages.push(page)
    this.#shown = pages
    for (const page of pages) if (this.#pages.get(page)?.fresh !== true) void this.#fetch(page)
  }

  /** Marks the entries from this seq on as outdated; they stay on the screen until they are loaded again. */
  expire(from = 1): void {
    for (const [page, known] of this.#pages) if (page >= pageOf(from)) known.fresh = false
    for (const page of this.#loading) if (page >= pageOf(from)) this.#again.add(page)
    for (const page of this.#shown) if (this.#pages.get(page)?.fresh !== true) void this.#fetch(page)
  }

  /** Drops all entries at once: none of their text may come back to the screen. */
  forget(): void {
    this.#pages.clear()
    this.#forgotten++
    this.expire()
  }

  async #fetch(page: number): Promise<void> {
    if (this.#loading.has(page)) return
    this.#loading.add(page)
    const forgotten = this.#forgotten
    const entries = await this.#load(page * PAGE, PAGE)
    this.#loading.delete(page)
    // An answer that was already requested may still have the redacted text.
    if (forgotten !== this.#forgotten) {
      this.#again.delete(page)
      if (this.#shown.includes(page)) void this.#fetch(page)
      return
    }
    // It expired while it was loading: show it, and load it once more.
    const fresh = !this.#again.delete(page)
    if (entries === undefined) return
    this.#pages.delete(page)
    this.#pages.set(page, { entries: new Map(entries.map((entry) => [entry.seq, entry])), fresh })
    this.#dropOldest()
    this.#onChange()
    if (!fresh && this.#shown.includes(page)) void this.#fetch(page)
  }

  #dropOldest(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) return
      if (!this.#shown.includes(page)) this.#pages.delete(page)
    }
  }
}

function pageOf(seq: number): number {
  return Math.floor((seq - 1) / PAGE)
}
