import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry, Seq } from '../../model/types.ts'
import type { EntryPage, SessionId, Store } from '../../store/store.ts'
import { eventOf, type LogEvent, type ProgressEvent, type SessionEvent } from './event-types.ts'

/** How many entries are read at once. The rest stays in the store until the reader asks for it. */
const PAGE = 200
/** The same for a reader that may stop reading. */
const SMALL_PAGE = 20
/** How much progress waits for a slow reader. The oldest is dropped first: it only matters for a moment. */
const MOST_PROGRESS = 1_000

/**
 * The events of a session after `after`, those that are there and those to come, in one order, until the signal aborts.
 * It keeps one page of the log in memory, even for a reader that is far behind.
 */
export async function* sessionEvents(
  store: Store,
  id: SessionId,
  after: Seq = 0,
  signal?: AbortSignal,
): AsyncGenerator<SessionEvent, void, undefined> {
  const heard = listen(store, id, signal)
  const isOver = () => signal?.aborted === true
  let sent = after
  try {
    await store.hearing?.()
    while (!isOver()) {
      const changes = heard.changes
      const page = await store.entries(id, { from: sent + 1, limit: PAGE })
      for (const group of await eventsOf(store, id, page)) {
        const { seq } = group[0]
        // Before each entry, so that progress comes before the entries that were appended after it.
        for (const event of heard.progressBefore(seq)) yield event
        for (const event of group) yield event
        sent = seq
        if (isOver()) return
      }
      for (const event of heard.progressBefore(sent + 1)) yield event
      if (isEmpty(page)) await heard.next(changes, sent)
      // Let other work of this process run while a long log is read.
      else await nextTurn()
    }
  } finally {
    heard.stop()
  }
}

/** The events of the entries after `after` up to `upTo`, which are there already. It keeps a few entries in memory. */
export async function* pastEvents(
  store: Store,
  id: SessionId,
  range: { readonly after: Seq; readonly upTo: Seq },
  signal: AbortSignal,
): AsyncGenerator<LogEvent, void, undefined> {
  const { after, upTo } = range
  let sent = after
  while (sent < upTo && !signal.aborted) {
    const page = await store.entries(id, { from: sent + 1, upTo, limit: SMALL_PAGE })
    if (isEmpty(page)) return
    for (const group of await eventsOf(store, id, page)) {
      for (const event of group) yield event
      sent = group[0].seq
    }
  }
}

type Group = readonly [LogEvent, ...LogEvent[]]

/** The events of each row, in the order of seq. */
async function eventsOf(store: Store, session: SessionId, { entries, bad }: EntryPage): Promise<Group[]> {
  const types = await undoneTypes(store, session, entries)
  const groups: Group[] = [
    ...bad.map((row): Group => [{ type: 'bad-row', session, seq: row.seq, row }]),
    ...entries.map((entry): Group => {
      const undoes = entry.type === 'undo' ? types.get(entry.of) : undefined
      return [{ type: 'entry', session, seq: entry.seq, entry }, eventOf(session, entry, undoes)]
    }),
  ]
  return groups.toSorted(([a], [b]) => a.seq - b.seq)
}

/** The types of the entries that undos name: an undo of an undo is a redo. */
async function undoneTypes(store: Store, id: SessionId, entries: readonly Entry[]): Promise<Map<Seq, Entry['type']>> {
  const seqs = entries.flatMap((entry) => (entry.type === 'undo' ? [entry.of] : []))
  const found = seqs.length === 0 ? [] : (await store.entries(id, { seqs })).entries
  return new Map(found.map(({ seq, type }) => [seq, type]))
}

function isEmpty({ entries, bad }: EntryPage): boolean {
  return entries.length === 0 && bad.length === 0
}

/** Listens to changes and progress, and wakes the reader. */
function listen(store: Store, id: SessionId, signal: AbortSignal | undefined) {
  let changes = 0
  let waiting: Progress[] = []
  let wake = () => {}
  const stops = [
    store.subscribe((change) => {
      if (change.session !== id) return
      changes++
      wake()
    }),
    onProgress(store, id, (progress) => {
      waiting = [...waiting.slice(1 - MOST_PROGRESS), progress]
      wake()
    }),
  ]
  const abort = () => wake()
  signal?.addEventListener('abort', abort, { once: true })
  return {
    get changes() {
      return changes
    },
    /** Takes the progress that came before this entry was appended. */
    *progressBefore(seq: Seq) {
      while ((waiting[0]?.after ?? seq) < seq) {
        const next = waiting.shift()
        if (next !== undefined) yield next.event
      }
    },
    /** Waits for a change since `seen`, or for progress that is due. */
    async next(seen: number, sent: Seq): Promise<void> {
      await new Promise<void>((resolve) => {
        wake = () => {
          if (changes !== seen || signal?.aborted === true || (waiting[0]?.after ?? sent + 1) <= sent) resolve()
        }
        wake()
      })
    },
    stop(): void {
      for (const stop of stops) stop()
      signal?.removeEventListener('abort', abort)
    },
  }
}

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
