import { stepToWire } from '../../../contract/compaction-steps.ts'
import { toWire, wireEntry } from '../../../contract/wire.ts'
import type { WireEvent } from '../../../contract/wire-events.ts'
import { outcomeText } from '../../../engine/report/outcome.ts'
import type { Seq } from '../../../model/ids.ts'
import { eventOf, type SessionEvent } from '../../../session/event-types.ts'
import { sessionEvents } from '../../../session/session-events.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { EventQueue } from '../../stream/event-queue.ts'

/** The events of a session after a seq. The `id` of an event of the log is its seq. */
export async function* sessionStream(
  store: Store,
  id: SessionId,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  for await (const event of sessionEvents(store, id, after, signal)) yield wireEvent(event)
}

/** An event of a session as it goes over HTTP. */
function wireEvent(event: SessionEvent): WireEvent {
  const of = { session_id: event.session }
  switch (event.type) {
    case 'entry':
      // No id here: a client that drops now resumes at the previous entry. The next event carries the id.
      return { event: 'entry', data: { ...of, seq: event.seq, entry: wireEntry(event.entry) } }
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
  const name = type.startsWith('compaction-') ? type.replace('-', '.') : type
  // The other events go out field by field. The cast: the compiler cannot tell that name and data belong together.
  return { event: name, data: { ...of, ...toWire(data) }, id: event.seq } as WireEvent
}

/** The events of all sessions of an owner from now on: that one changed, and its compactions. */
export async function* allEvents(store: Store, owner: string, signal: AbortSignal): AsyncGenerator<WireEvent, void> {
  const queue = new EventQueue<WireEvent>()
  const owners = new Map<SessionId, Promise<string | undefined>>()
  const ownerOf = (id: SessionId) => {
    const known = owners.get(id) ?? store.session(id).then((session) => session?.owner)
    owners.set(id, known)
    return known
  }
  queue.push({ event: 'ready', data: {} })
  // One at a time, so that the events of a session keep their order.
  let told = Promise.resolve()
  const stop = store.subscribe(({ session, seq }) => {
    told = told.then(() => tell(session, seq)).catch(() => undefined)
  })
  async function tell(session: SessionId, seq: Seq): Promise<void> {
    if (signal.aborted || (await ownerOf(session)) !== owner) return
    const { entries } = await store.entries(session, { seqs: [seq], light: true })
    const [entry] = entries
    if (entry === undefined) return
    queue.push({ event: 'session.changed', data: { session_id: session, seq, type: entry.type } })
    if (entry.type === 'compaction') queue.push({ ...wireEvent(eventOf(session, entry)), id: undefined })
  }
  try {
    yield* queue.events(signal)
  } finally {
    stop()
  }
}
