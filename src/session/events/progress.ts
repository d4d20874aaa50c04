import type { Seq } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { ProgressEvent } from './event-types.ts'

/** An event that is not in the log, and the last entry of the log when it happened. */
export type Progress = { readonly event: ProgressEvent; readonly after: Seq }

type Listener = (progress: Progress) => void

/** The listeners of this process, by their store. */
const listeners = new WeakMap<Store, Map<SessionId, Set<Listener>>>()

/** Calls the listeners of the session on this store. Listeners must return at once, because the work waits for them. */
export function emitProgress(store: Store, progress: Progress): void {
  for (const listener of listeners.get(store)?.get(progress.event.session) ?? []) listener(progress)
}

/** Calls the listener for each progress of a session on this store. Returns a function that removes it. */
export function onProgress(store: Store, id: SessionId, listener: Listener): () => void {
  const sessions = listeners.get(store) ?? new Map<SessionId, Set<Listener>>()
  listeners.set(store, sessions)
  const own = sessions.get(id) ?? new Set()
  sessions.set(id, own.add(listener))
  return () => {
    own.delete(listener)
    if (own.size === 0 && sessions.get(id) === own) sessions.delete(id)
  }
}
