import { onTestFinished } from 'vitest'
import type { Store, StoreDeps } from '../../../src/store/store.ts'

/** Opens a store that takes its ids and times from the test. */
export type OpenStore = (deps: StoreDeps) => Promise<Store>

/** A clock that only the test moves. */
export type Clock = { now: number }

type World = { readonly store: Store; readonly clock: Clock; readonly issued: ReadonlySet<string> }

/** Starts a test in a world of its own. */
export type Start = () => Promise<World>

/** Closes a store after the test that opened it. */
export function closeAfterTest(store: Store): void {
  onTestFinished(() => store.close())
}

/** A world with a store on an unused database. */
export function opener(open: OpenStore): Start {
  return async () => {
    const clock: Clock = { now: 1_700_000_000_000 }
    const issued = new Set<string>()
    const store = await open(depsOf(clock, issued))
    closeAfterTest(store)
    return { store, clock, issued }
  }
}

/** Ids that do not sort by age, and the time of a clock. */
export function depsOf(clock: Clock, issued = new Set<string>(), prefix = 'i'): StoreDeps {
  let count = 0
  return {
    ids: () => {
      const id = `${prefix}${((++count * 7919) % 10_007).toString(36)}-${count}`
      issued.add(id)
      return id
    },
    clock: () => clock.now,
  }
}
