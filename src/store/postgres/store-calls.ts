/** The calls that a store is busy with. A pool that ends leaves callers without a connection waiting, so it ends last. */
export class StoreCalls {
  readonly #calls = new Set<Promise<unknown>>()
  #closed = false

  /** Runs the call, unless the store is closed. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The store is closed')
    const running = call()
    this.#calls.add(running)
    try {
      return await running
    } finally {
      this.#calls.delete(running)
    }
  }

  /** Refuses new calls and waits for those that run. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#calls)
  }
}
