/** The most bytes of requests and answers that wait. What is not recorded now is recorded with the next request. */
const MOST_BYTES = 256 * 1024 * 1024

/** Does one work after the other, beside everything else. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waitingBytes = 0

  /** The result of the work; a rejection when it fails, or when too much waits. `bytes` is what it holds in memory. */
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

  /** When all works that were added so far are done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
