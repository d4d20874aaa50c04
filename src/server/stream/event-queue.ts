/** The most events that may wait. A slower reader is disconnected. */
const MOST = 20_000

export type QueueLimits<T> = {
  /** The most that may wait, as a sum of sizes. One event may be larger. */
  readonly most: number
  readonly sizeOf: (event: T) => number
  /** Called when more waits. What waits is dropped: the reader does not read, and comes back later. */
  readonly onFull: () => void
}

/** A queue between the producer of events and their reader. Pushing never waits. */
export class EventQueue<T> {
  readonly #limits: QueueLimits<T> | undefined
  #waiting: T[] = []
  /** Of all events that the reader has not taken yet. */
  #size = 0
  #wake: () => void = () => {}
  #isOver = false

  constructor(limits?: QueueLimits<T>) {
    this.#limits = limits
  }

  push(event: T): void {
    if (this.#isOver) return
    const isFirst = this.#size === 0
    this.#waiting.push(event)
    this.#size += this.#sizeOf(event)
    if (!isFirst && this.#size > (this.#limits?.most ?? MOST)) this.#cutOff()
    this.#wake()
  }

  /** Ends the queue: the reader gets the events that wait, then the end. */
  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *events(signal: AbortSignal): AsyncGenerator<T, void> {
    const stop = () => this.#wake()
    signal.addEventListener('abort', stop)
    try {
      while (!signal.aborted) {
        const ready = this.#waiting
        this.#waiting = []
        for (const event of ready) {
          this.#size -= this.#sizeOf(event)
          yield event
        }
        if (this.#waiting.length > 0) continue
        if (this.#isOver || signal.aborted) return
        await new Promise<void>((resolve) => {
          this.#wake = resolve
          if (this.#waiting.length > 0 || this.#isOver || signal.aborted) resolve()
        })
      }
    } finally {
      signal.removeEventListener('abort', stop)
      this.end()
    }
  }

  #sizeOf(event: T): number {
    return this.#limits?.sizeOf(event) ?? 1
  }

  #cutOff(): void {
    if (this.#limits !== undefined) this.#waiting.length = 0
    this.end()
    this.#limits?.onFull()
  }
}
