import type { Store } from '../../store/store.ts'
import type { Metrics } from './metrics.ts'

/** The calls that are timed. */
const CALLS = ['createSession', 'session', 'sessions', 'append', 'appended', 'entries', 'summaries', 'search'] as const

/** A store whose calls are timed. */
export function timedStore(store: Store, metrics: Metrics): Store {
  const timed = CALLS.map((name) => [name, timedCall(name, store[name] as Call, metrics)])
  return { ...store, ...Object.fromEntries(timed) }
}

// The methods of a store differ in their arguments, which are passed on unchanged.
type Call = (...input: unknown[]) => Promise<unknown>

function timedCall(name: string, call: Call, metrics: Metrics): Call {
  return async (...input) => {
    const started = performance.now()
    try {
      return await call(...input)
    } finally {
      metrics.time('pith_store_seconds', { call: name }, (performance.now() - started) / 1_000)
    }
  }
}
