import { PithError } from '../../model/problems/errors.ts'
import type { Store } from '../../store/store.ts'
import { HttpError } from '../http/http-error.ts'

/** A load balancer asks every few seconds, and must not wait as long as other requests may. */
const ANSWER_MS = 3_000

/** Whether the store takes work now. */
export class StoreReadiness {
  readonly #store: Pick<Store, 'sessions' | 'checkSpace'>
  /** All who ask meanwhile share one check, so that a store that hangs does not get more and more of them. */
  #running: Promise<unknown> | undefined

  constructor(store: Pick<Store, 'sessions' | 'checkSpace'>) {
    this.#store = store
  }

  /** Rejects with the refusal that `/ready` answers with. */
  async run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    try {
      await inTime(this.#running)
    } catch (error) {
      if (error instanceof HttpError || (error instanceof PithError && error.code === 'store-full')) throw error
      throw new HttpError(503, 'no-store', 'the store cannot be reached', undefined, { cause: error })
    }
  }

  async #check(): Promise<void> {
    await this.#store.sessions({ limit: 1 })
    await this.#store.checkSpace?.()
  }
}

async function inTime(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const text = `the store has not answered for ${ANSWER_MS / 1_000} seconds`
  const timer = setTimeout(() => late.reject(new HttpError(503, 'no-store', text)), ANSWER_MS)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
