import type { Seq } from '../../model/ids.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { ProgressEvent } from './event-types.ts'

/** Something that is in no log, and the last entry that was there when it happened. */
export type Progress = { readonly event: ProgressEvent; readonly after: Seq }

type Listener = (progress: Progress) => void

/** The listeners of this process, by the store that the work is done with. */
const listeners = new WeakMap<Store, Map<SessionId, Set<Listener>>>()

/** Tells those that follow the session on this store. It only hands over: no listener holds the work up. */
export function tellProgress(store: Store, progress: Progress): void {
  for (const listener of listeners.get(store)?.get(progress.event.session) ?? []) listener(progress)
}

/** Hears of what is done with a session on this store. Returns how to stop. */
export function hearProgress(store: Store, id: SessionId, listener: Listener): () => void {
  const sessions = listeners.get(store) ?? new Map<SessionId, Set<Listener>>()
  listeners.set(store, sessions)
  const own = sessions.get(id) ?? new Set()
  sessions.set(id, own.add(listener))
  return () => {
    own.delete(listener)
    if (own.size === 0 && sessions.get(id) === own) sessions.delete(id)
  }
}
