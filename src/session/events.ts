import type { CompactEvent } from '../engine/compact.ts'
import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { BadRow, SessionId, Store } from '../store/store.ts'

/**
 * What happens in a session. `entry` events are the log itself, in the order of seq, from every process: a listener
 * resumes from any seq. `progress` is of this process and this moment.
 */
export type SessionEvent =
  | { readonly type: 'entry'; readonly session: SessionId; readonly entry: Entry }
  | { readonly type: 'bad-row'; readonly session: SessionId; readonly row: BadRow }
  | { readonly type: 'progress'; readonly session: SessionId; readonly event: CompactEvent }

/** Calls the listener for every entry after `after`, those that are there and those to come, each once and in order. */
export function followSession(
  store: Store,
  id: SessionId,
  after: Seq,
  listener: (event: SessionEvent) => void,
): () => void {
  let told = after
  let reading: Promise<void> = Promise.resolve()
  let stopped = false
  const read = () => {
    // One after the other, so that the order is that of the log however fast appends come in.
    reading = reading.then(async () => {
      if (stopped) return
      const { entries, bad } = await store.entries(id, { from: told + 1 })
      for (const row of bad) tell({ type: 'bad-row', session: id, row })
      for (const entry of entries) tell({ type: 'entry', session: id, entry })
      told = Math.max(told, ...[entries.at(-1)?.seq ?? 0, bad.at(-1)?.seq ?? 0])
    })
    // A read that fails is tried again at the next change; the session may be gone.
    reading = reading.catch(() => {})
  }
  const tell = (event: SessionEvent) => {
    if (stopped) return
    try {
      listener(event)
    } catch {
      // A listener's error is its own affair.
    }
  }
  const stop = store.subscribe((change) => {
    if (change.session === id && change.seq > told) read()
  })
  read()
  return () => {
    stopped = true
    stop()
  }
}
