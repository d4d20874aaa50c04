/** Works that wait. More would only be memory: what is not recorded now is recorded with the next request. */
const MOST_WAITING = 1_000

/** Does one work after the other, beside everything else. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** The result of the work; a rejection when it fails, or when too many wait. */
  add<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) return Promise.reject(new Error(`${MOST_WAITING} requests wait to be recorded`))
    this.#waiting++
    const done = this.#last.then(work).finally(() => {
      this.#waiting--
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  /** When all works that were added so far are done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
