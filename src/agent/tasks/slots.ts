/** Lets at most `most` pieces of work run at the same time. The others wait in the order in which they came. */
export class Slots {
  #free: number
  readonly #waiting: ((isGranted: boolean) => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Runs the work when a slot is free. Undefined if the signal fires before it could begin. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    if (!(await this.#take(signal))) return undefined
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next(true)
    }
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#free > 0) {
      this.#free--
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting.push(resolve)
    const leave = () => {
      const at = this.#waiting.indexOf(resolve)
      if (at === -1) return
      this.#waiting.splice(at, 1)
      resolve(false)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
