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

  at(index: number): T | undefined {
    return index < this.length ? this.#storage[index] : undefined
  }

  get last(): T | undefined {
    return this.#storage[this.length - 1]
  }

  slice(from = 0, to = this.length): T[] {
    const fromEnd = (index: number) => (index < 0 ? Math.max(0, this.length + index) : Math.min(index, this.length))
    return this.#storage.slice(fromEnd(from), fromEnd(to))
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
}
