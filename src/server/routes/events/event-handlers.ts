import * as contract from '../../../contract/routes/event-routes.ts'
import { stepToWire, toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import type { SESSION_EVENTS, WireEvent } from '../../../contract/shapes/wire-events.ts'
import { outcomeText } from '../../../engine/report/outcome.ts'
import type { Entry, Seq } from '../../../model/types.ts'
import { eventOf, type SessionEvent } from '../../../session/events/event-types.ts'
import { pastEvents, sessionEvents } from '../../../session/events/session-events.ts'
import type { LogChange, Session, SessionId, Store } from '../../../store/store.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import type { FeedSource } from '../../stream/feeds.ts'
import { type Handler, handler } from '../handler.ts'

// A listener needs no view. Opening the session would keep all of it in memory for as long as others need no room.
const eventsOfOne = handler(contract.sessionEventsRoute, async (call, services) => {
  const { id } = call.params
  const last = call.headers['last-event-id']
  const asked = last !== undefined && last !== '' ? Number(last) : (call.query.after ?? 'now')
  const { lastSeq } = await services.sessions.listed(id, call.caller.owner)
  const after = asked === 'now' ? lastSeq : asked
  return services.streams.respond(call.caller, call.gone, (signal) =>
    sessionStream(services, { id, lastSeq, after }, signal, call.hangUp),
  )
})

const eventsOfAll = handler(contract.allEventsRoute, async ({ caller, gone, headers, hangUp }, services) => {
  const last = headers['last-event-id']
  const since = last === undefined || last === '' ? undefined : Number(last)
  return services.streams.respond(caller, gone, (signal) =>
    allEvents(services, caller.owner, { since, hangUp }, signal),
  )
})

/** Event streams: of one session from any seq on, and of all sessions of an owner. */
export const eventHandlers: readonly Handler[] = [eventsOfOne, eventsOfAll]

/** Clocks of processes differ, and the event of an append comes a moment after its time. So changes within this time are sent again. */
const OVERLAP_MS = 5_000
/** A reader that missed more sessions has to read the list again. */
const MOST_SESSIONS = 1_000

/**
 * The events of all sessions of an owner: changes and compactions. The id of an event is a time; `since` is the last one that the
 * reader got. Changes after it come first: the last entry and the compactions of each session, by their times. Imported entries
 * keep their own times, so a reader that was away gets no event for them.
 */
async function* allEvents(
  { store, feeds }: Services,
  owner: string,
  { since, hangUp }: { readonly since: number | undefined; readonly hangUp: () => void },
  signal: AbortSignal,
): AsyncGenerator<WireEvent | Uint8Array, void> {
  const source: FeedSource = (stopped) => ownersChanges(store, owner, stopped)
  const { queue, leave } = feeds.join(`owner ${owner}`, { position: 0, source }, hangUp)
  try {
    await store.hearing?.()
    if (since !== undefined) yield* changesSince(store, owner, since - OVERLAP_MS)
    yield { event: 'ready', data: {}, id: Date.now() }
    for await (const { bytes } of queue.events(signal)) yield bytes
  } finally {
    leave()
  }
}

/** The events of all changes from now on, once for all listeners of an owner. */
async function* ownersChanges(store: Store, owner: string, signal: AbortSignal): ReturnType<FeedSource> {
  const queue = new EventQueue<{ readonly event: WireEvent }>()
  const owners = new Map<SessionId, Promise<string | undefined>>()
  const ownerOf = (id: SessionId) => {
    const known = owners.get(id) ?? store.session(id).then((session) => session?.owner)
    owners.set(id, known)
    return known
  }
  // One at a time, so that the events of a session keep their order.
  let sent = Promise.resolve()
  const stop = store.subscribe((change) => {
    sent = sent.then(() => send(change)).catch(() => undefined)
  })
  async function send({ session, seq }: LogChange): Promise<void> {
    if (signal.aborted || (await ownerOf(session)) !== owner) return
    const { entries } = await store.entries(session, { seqs: [seq], light: true })
    for (const event of eventsOf(session, entries)) queue.push({ event: { ...event, id: Date.now() } })
  }
  try {
    yield* queue.events(signal)
  } finally {
    stop()
  }
}

async function* changesSince(store: Store, owner: string, since: number): AsyncGenerator<WireEvent, void> {
  const changed: Session[] = []
  for (let before: string | undefined; changed.length < MOST_SESSIONS; ) {
    const page = await store.sessions({ owner, limit: 100, before })
    changed.push(...page.sessions.filter(({ updatedAt }) => updatedAt >= since))
    before = page.next
    if (before === undefined || (page.sessions.at(-1)?.updatedAt ?? 0) < since) break
  }
  // The list has the newest first; the ids of events go up.
  for (const { id, lastSeq } of changed.reverse()) {
    const changes = await store.entries(id, { only: 'changes', light: true })
    const compactions = changes.entries.filter(({ type, at }) => type === 'compaction' && at >= since)
    const last = await store.entries(id, { seqs: [lastSeq], light: true })
    yield* eventsOf(id, [...compactions.filter(({ seq }) => seq !== lastSeq), ...last.entries])
  }
}

function eventsOf(session: SessionId, entries: readonly Entry[]): WireEvent[] {
  return entries.flatMap((entry): WireEvent[] => {
    const { seq, type, at } = entry
    const changed: WireEvent = { event: 'session.changed', id: at, data: { session_id: session, seq, type } }
    return type === 'compaction' ? [changed, { ...wireEvent(eventOf(session, entry)), id: at }] : [changed]
  })
}

/** The events of a session after a seq: those that are there, then those that all of its listeners share. */
async function* sessionStream(
  { store, feeds }: Services,
  { id, lastSeq, after }: { readonly id: SessionId; readonly lastSeq: Seq; readonly after: Seq },
  signal: AbortSignal,
  hangUp: () => void,
): AsyncGenerator<WireEvent | Uint8Array, void> {
  const source: FeedSource = (stopped) => wireEvents(sessionEvents(store, id, lastSeq, stopped))
  const { position, queue, leave } = feeds.join(`session ${id}`, { position: lastSeq, source }, hangUp)
  try {
    const past = pastEvents(store, id, { after, upTo: position }, signal)
    for await (const { event } of wireEvents(past)) yield event
    const seen = Math.max(after, position)
    for await (const { seq = seen + 1, bytes } of queue.events(signal)) if (seq > seen) yield bytes
  } finally {
    leave()
  }
}

/** The `id` of an event of the log is its seq. The event `entry` already has the whole message. */
async function* wireEvents(events: AsyncIterable<SessionEvent>): ReturnType<FeedSource> {
  for await (const event of events) if (event.type !== 'message') yield { seq: event.seq, event: wireEvent(event) }
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
  'left-out': 'left-out',
  'put-back': 'put-back',
  settings: 'settings',
  todos: 'todos',
  'files-kept': 'files-kept',
}
