/** The ids of calls without a result. Most often there is one at a time, for which a set is slow. */
export class OpenIds {
  #one: string | undefined
  readonly #others = new Set<string>()

  get size(): number {
    return this.#others.size + (this.#one === undefined ? 0 : 1)
  }

  add(id: string): void {
    if (this.#one === undefined && !this.#others.has(id)) this.#one = id
    else if (this.#one !== id) this.#others.add(id)
  }

  delete(id: string): void {
    if (this.#one === id) this.#one = undefined
    else this.#others.delete(id)
  }
}
