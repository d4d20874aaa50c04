import { pauseMs, type RetryLimits } from './back-off.ts'

/** What the attempts at one answer wait with. */
export type RetryDeps = {
  readonly limits: RetryLimits
  readonly random: () => number
  /** Waits; an abort ends the wait early, by returning or by throwing. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** All attempts at one answer, whether they fail before the answer or in its middle: one number of them, one budget of time. */
export class Retries {
  readonly #deps: RetryDeps
  #attempt = 1
  #pausedMs = 0

  constructor(deps: RetryDeps) {
    this.#deps = deps
  }

  /** The number of the present attempt. */
  get attempt(): number {
    return this.#attempt
  }

  /** The pause before the next attempt, which then is the present one; undefined to give up. */
  next(retryAfterMs?: number): number | undefined {
    const { limits, random } = this.#deps
    const inMs = pauseMs({ attempt: this.#attempt, pausedMs: this.#pausedMs, retryAfterMs }, limits, random)
    if (inMs === undefined) return undefined
    this.#attempt++
    this.#pausedMs += inMs
    return inMs
  }

  /** Waits for the next attempt. An abort ends the wait. */
  async wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#deps.sleep(ms, signal).catch(() => {})
  }
}
