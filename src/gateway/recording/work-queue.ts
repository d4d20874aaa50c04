/** The most bytes of requests and answers that may wait. A request that is not recorded now is recorded with the next one. */
const MOST_BYTES = 256 * 1024 * 1024

/** Runs one piece of work after the other, in the background. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waitingBytes = 0

  /** The result of the work; rejects when it fails, or when too much work waits. `bytes`: the memory that it holds. */
  add<T>(work: () => Promise<T>, bytes = 0): Promise<T> {
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > MOST_BYTES)
      return Promise.reject(new Error('too much waits to be recorded'))
    this.#waitingBytes += bytes
    const done = this.#last.then(work).finally(() => {
      this.#waitingBytes -= bytes
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when all work that was added so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
