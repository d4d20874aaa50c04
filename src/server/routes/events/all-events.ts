import type { WireEvent } from '../../../contract/shapes/wire-events.ts'
import type { Entry } from '../../../model/entry.ts'
import { eventOf } from '../../../session/events/event-types.ts'
import type { LogChange, Session, SessionId, Store } from '../../../store/store.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import { wireEvent } from './session-stream.ts'

/** Clocks of processes differ, and an append is told a moment after its time: what is that near is told again. */
const OVERLAP_MS = 5_000
/** A reader that was away for longer reads the list again. */
const MOST_SESSIONS = 1_000

/**
 * The events of all sessions of an owner: that one changed, and its compactions. The id of an event is a time; `since` is
 * the last one that the reader saw. What changed after it is told first: the last entry and the compactions of each session, by
 * their times. An import has the times at which it was said, so it is not told to whoever was away.
 */
export async function* allEvents(
  store: Store,
  owner: string,
  signal: AbortSignal,
  since?: number,
): AsyncGenerator<WireEvent, void> {
  const queue = new EventQueue<WireEvent>()
  const owners = new Map<SessionId, Promise<string | undefined>>()
  const ownerOf = (id: SessionId) => {
    const known = owners.get(id) ?? store.session(id).then((session) => session?.owner)
    owners.set(id, known)
    return known
  }
  queue.push({ event: 'ready', data: {}, id: Date.now() })
  // One at a time, so that the events of a session keep their order.
  let told = Promise.resolve()
  const stop = store.subscribe((change) => {
    told = told.then(() => tell(change)).catch(() => undefined)
  })
  async function tell({ session, seq }: LogChange): Promise<void> {
    if (signal.aborted || (await ownerOf(session)) !== owner) return
    const { entries } = await store.entries(session, { seqs: [seq], light: true })
    for (const event of eventsOf(session, entries)) queue.push({ ...event, id: Date.now() })
  }
  try {
    if (since !== undefined) yield* changesSince(store, owner, since - OVERLAP_MS)
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
