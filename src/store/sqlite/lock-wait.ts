import { setTimeout as sleep } from 'node:timers/promises'

/** How long SQLite itself waits for a lock. The whole process stands still meanwhile, so it is short. */
export const SLICE_MS = 5
const PAUSES_MS = [5, 10, 20, 40, 80]

/**
 * Waits for the lock of another process in slices, so that this one goes on meanwhile. Work that waits keeps its order;
 * while nothing waits, work is done within the call.
 */
export class LockWait {
  readonly #patienceMs: number
  #last: Promise<unknown> | undefined
  #waiting = new AbortController()

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /** Does the work in its turn, again and again while the file is locked; the error of the last try when patience ends. */
  async inTurn<T>(work: () => T): Promise<T> {
    if (this.#last === undefined) {
      const tried = tryOnce(work)
      if ('value' in tried) return tried.value
    }
    const until = Date.now() + this.#patienceMs
    const before = this.#last ?? Promise.resolve()
    const { signal } = this.#waiting
    const mine = before.then(() => retried(work, until, signal))
    const settled = mine.then(nothing, nothing).then(() => {
      if (this.#last === settled) this.#last = undefined
    })
    this.#last = settled
    return mine
  }

  /** The same without a turn, for work that only reads. */
  async atOnce<T>(work: () => T): Promise<T> {
    const tried = tryOnce(work)
    return 'value' in tried ? tried.value : retried(work, Date.now() + this.#patienceMs, this.#waiting.signal)
  }

  /** Ends the patience of all work that waits now: each is tried once more. */
  stopWaiting(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }
}

async function retried<T>(work: () => T, until: number, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; Date.now() < until && !signal.aborted; attempt++) {
    const tried = tryOnce(work)
    if ('value' in tried) return tried.value
    await sleep(Math.min(PAUSES_MS[attempt] ?? 100, Math.max(1, until - Date.now())))
  }
  return work()
}

function nothing(): void {}

/** The value of the work, or that the file is locked. Other errors are thrown. */
function tryOnce<T>(work: () => T): { readonly value: T } | { readonly isLocked: true } {
  try {
    return { value: work() }
  } catch (error) {
    if (isLocked(error)) return { isLocked: true }
    throw error
  }
}

/** True for SQLITE_BUSY and SQLITE_LOCKED, also behind an error of ours. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  return code === 5 || code === 6 || isLocked(error.cause)
}
