import { AsyncLocalStorage } from 'node:async_hooks'
import type { Watch } from './watch.ts'

const watches = new AsyncLocalStorage<Watch>()

/** Does some work whose requests this watch watches. */
export function inWatch<T>(watch: Watch, work: () => T): T {
  return watches.run(watch, work)
}

/** A fetch for all requests of a model: the watch of each sees its bytes. So the model need not be made anew for each. */
export function watchedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => (watches.getStore()?.fetch(fetch) ?? fetch)(input, init)
}
