/** The most events that may wait. A slower reader is disconnected. */
const MOST = 20_000

/** A queue between the producer of events and their reader. Pushing never waits. */
export class EventQueue<T> {
  #waiting: T[] = []
  #wake: () => void = () => {}
  #isOver = false

  push(event: T): void {
    if (this.#isOver) return
    this.#waiting.push(event)
    if (this.#waiting.length > MOST) this.end()
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
        for (const event of ready) yield event
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
}
