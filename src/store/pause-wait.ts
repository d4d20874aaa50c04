import { setTimeout as sleep } from 'node:timers/promises'

/** A pause that blocks an append, and how long it lasts at most. */
export type PauseLeft = { readonly pausedMs: number }

/** The longest pause. A writer waits no longer than this, whatever happens to the process that asked for it. */
export const MOST_PAUSE_MS = 10_000

const RETRY_MS = 20

/** The wait of one append for the end of a pause. After the first pause it does not wait for another one. */
export class PauseWait {
  #until: number | undefined

  get isOver(): boolean {
    return this.#until !== undefined && performance.now() >= this.#until
  }

  /** The time until the append is tried again. */
  after({ pausedMs }: PauseLeft): Promise<void> {
    this.#until ??= performance.now() + Math.min(pausedMs, MOST_PAUSE_MS)
    return sleep(RETRY_MS)
  }
}
