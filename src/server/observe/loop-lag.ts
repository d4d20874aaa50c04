import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20

/** How late the event loop is: the mean and the longest delay since the last read, in seconds. */
export class LoopLag {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor() {
    this.#delays.enable()
  }

  read(): { readonly mean: number; readonly most: number } {
    const { mean, max } = this.#delays
    this.#delays.reset()
    // The timer itself is a part of each delay that it measures.
    const late = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - RESOLUTION_MS / 1_000)
    return { mean: late(mean), most: late(max) }
  }

  close(): void {
    this.#delays.disable()
  }
}
