import type { Seq } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { SessionEvent } from './event-types.ts'
import { sessionEvents } from './session-events.ts'

/**
 * Calls the listener for every event after `after`, past and future, each once and in order. A listener that returns a promise
 * gets the next event when that is settled; nobody else waits for it. Returns a function that stops the calls.
 */
export function followSession(
  store: Store,
  id: SessionId,
  after: Seq,
  listener: (event: SessionEvent) => unknown,
): () => void {
  const stopping = new AbortController()
  void follow(store, id, after, listener, stopping.signal)
  return () => stopping.abort()
}

async function follow(
  store: Store,
  id: SessionId,
  after: Seq,
  listener: (event: SessionEvent) => unknown,
  signal: AbortSignal,
): Promise<void> {
  let sent = after
  while (!signal.aborted) {
    const change = nextChange(store, id, signal)
    try {
      for await (const event of sessionEvents(store, id, sent, signal)) {
        if (signal.aborted) return
        await send(listener, event)
        if (event.seq !== undefined && event.type !== 'entry') sent = event.seq
      }
    } catch {
      // A read that failed is tried again at the next change. The session may be gone.
      await change.heard
    } finally {
      change.stop()
    }
  }
}

async function send(listener: (event: SessionEvent) => unknown, event: SessionEvent): Promise<void> {
  try {
    await listener(event)
  } catch {
    // An error of the listener does not stop the events.
  }
}

function nextChange(store: Store, id: SessionId, signal: AbortSignal) {
  const { promise: heard, resolve } = Promise.withResolvers<void>()
  const stop = store.subscribe((change) => {
    if (change.session === id) resolve()
  })
  signal.addEventListener('abort', () => resolve(), { once: true })
  return { heard, stop }
}
