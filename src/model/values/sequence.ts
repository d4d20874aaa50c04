/**
 * An immutable list that shares its storage with the lists made from it by appending. Appending costs one element, not a
 * copy, and every list still sees exactly its own elements.
 */
export class Sequence<T> implements Iterable<T> {
  readonly length: number
  readonly #storage: T[]

  private constructor(storage: T[], length: number) {
    this.#storage = storage
    this.length = length
  }

  static of<T>(items: Iterable<T> = []): Sequence<T> {
    const storage = [...items]
    return new Sequence(storage, storage.length)
  }

  /** The results of a function on each item. */
  static map<S, T>(items: readonly S[], change: (item: S) => T): Sequence<T> {
    return new Sequence(items.map(change), items.length)
  }

  at(index: number): T | undefined {
    return index < this.length ? this.#storage[index] : undefined
  }

  slice(from = 0, to = this.length): T[] {
    const fromEnd = (index: number) => (index < 0 ? Math.max(0, this.length + index) : Math.min(index, this.length))
    return this.#storage.slice(fromEnd(from), fromEnd(to))
  }

  /** The items behind a list that this one was made from by appending; undefined for every other list. */
  behind(list: Sequence<T>): T[] | undefined {
    return list.#storage === this.#storage && list.length <= this.length ? this.slice(list.length) : undefined
  }

  append(item: T): Sequence<T> {
    // Only the newest list may write after its end; an older one continues on a copy.
    const storage = this.#storage.length === this.length ? this.#storage : this.slice()
    storage.push(item)
    return new Sequence(storage, storage.length)
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#storage[i] as T
  }

  /** The key for caches over prefixes: lists with the same storage agree on their common prefix. It may be longer than this list. */
  get storage(): readonly T[] {
    return this.#storage
  }
}

/**
 * Returns a function that gives the running totals over a sequence, cached: after one more element was appended, only that
 * element is visited. `totals(list)[n]` is the total after the first `n` elements; entries beyond the list's length belong
 * to a longer list. `work` is state that `step` may keep between elements; it is made once per storage.
 */
export function runningTotals<T, W = undefined>(
  first: number,
  step: (before: number, item: T, index: number, work: W) => number,
  ...[start]: W extends undefined ? [] : [start: () => W]
): (list: Sequence<T>) => ArrayLike<number> {
  const remembered = new WeakMap<object, RunningTotals<W>>()
  return (list) => {
    let running = remembered.get(list.storage)
    if (running === undefined) {
      running = { totals: [first], work: start?.() as W }
      remembered.set(list.storage, running)
    }
    const { totals, work } = running
    const { storage, length } = list
    let total = totals[totals.length - 1] as number
    for (let i = totals.length - 1; i < length; i++) {
      total = step(total, storage[i] as T, i, work)
      totals.push(total)
    }
    return totals
  }
}

type RunningTotals<W> = { readonly totals: number[]; readonly work: W }
