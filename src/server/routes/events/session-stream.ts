import { stepToWire } from '../../../contract/shapes/compaction-steps.ts'
import { toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import type { SESSION_EVENTS, WireEvent } from '../../../contract/shapes/wire-events.ts'
import { outcomeText } from '../../../engine/report/outcome.ts'
import type { Seq } from '../../../model/types.ts'
import type { SessionEvent } from '../../../session/events/event-types.ts'
import { sessionEvents } from '../../../session/events/session-events.ts'
import type { SessionId, Store } from '../../../store/store.ts'

/** The events of a session after a seq. The `id` of an event of the log is its seq. */
export async function* sessionStream(
  store: Store,
  id: SessionId,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  for await (const event of sessionEvents(store, id, after, signal)) {
    // The event `entry` already has the whole message.
    if (event.type !== 'message') yield wireEvent(event)
  }
}

/** An event of a session as it goes over HTTP. */
export function wireEvent(event: SessionEvent): WireEvent {
  const of = { session_id: event.session }
  switch (event.type) {
    case 'entry':
      return {
        event: 'entry',
        // For a change, the next event has the id: a client that disconnects before it resumes after the previous entry.
        ...(event.entry.type === 'message' ? { id: event.seq } : {}),
        data: { ...of, seq: event.seq, entry: wireEntry(event.entry) },
      }
    case 'compacted': {
      const { type: _, session: __, messages, ...data } = event
      const text = outcomeText({ ...event, outcome: 'compacted', messagesRemoved: messages })
      return {
        event: 'session.compacted',
        id: event.seq,
        data: { ...of, ...toWire(data), messages_removed: messages, text },
      }
    }
    case 'compaction':
      return stepToWire(event.session, event.event)
  }
  const { type, session: _, ...data } = event
  // These events go out field by field. The cast: the compiler does not know that name and data belong together.
  return { event: NAMES[type], data: { ...of, ...toWire(data) }, id: event.seq } as WireEvent
}

type PlainType = Exclude<SessionEvent['type'], 'entry' | 'compacted' | 'compaction'>

/** The names that the other events have in the contract. */
const NAMES: Readonly<Record<PlainType, keyof typeof SESSION_EVENTS>> = {
  // A message has only the event `entry`.
  message: 'entry',
  'bad-row': 'bad-row',
  'compaction-failed': 'compaction.failed',
  'compaction-cancelled': 'compaction.cancelled',
  'compaction-skipped': 'compaction.skipped',
  'answer-void': 'answer.void',
  masked: 'masked',
  squeezed: 'squeezed',
  edited: 'edited',
  undone: 'undone',
  redone: 'redone',
  repaired: 'repaired',
  redacted: 'redacted',
  pinned: 'pinned',
  unpinned: 'unpinned',
  settings: 'settings',
  todos: 'todos',
  'files-kept': 'files-kept',
}
