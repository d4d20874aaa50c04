import { undoTargets } from '../engine/context/view/activity.ts'
import { viewOf } from '../engine/context/view/view-of.ts'
import { legalCuts } from '../engine/plan/cut-rules.ts'
import { stepAround } from '../engine/plan/kept-items.ts'
import { PithError } from '../model/problems/errors.ts'
import type { Drift, Entry, EntryDraft, Message, Seq, View } from '../model/types.ts'
import type { AppendResult, SessionId, Store } from '../store/store.ts'
import { requireSession } from './open-session.ts'

/** Keeps a message through every later compaction. */
export async function pin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: true })
}

/** Lets later compactions replace a pinned message again. */
export async function unpin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: false })
}

/** Replaces the text of a compaction's summary by the user's. */
export async function editSummary(store: Store, id: SessionId, of: Seq, summary: string): Promise<Entry> {
  await requireEntry(store, id, of, 'compaction')
  return appendOne(store, id, { type: 'edit', of, summary })
}

/** Throws when the entry is unknown or of another type. */
async function requireEntry(store: Store, id: SessionId, seq: Seq, type: Entry['type']): Promise<void> {
  const { entries } = await store.entries(id, { seqs: [seq] })
  const [entry] = entries
  if (entry === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  if (entry.type !== type)
    throw new PithError('unknown-entry', `entry #${seq} is not a ${type}: its type is ${entry.type}`)
}

async function appendOne(store: Store, id: SessionId, draft: EntryDraft): Promise<Entry> {
  const appended = await store.append(id, [draft])
  const entry = appended.ok ? appended.entries[0] : undefined
  if (entry === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return entry
}

/** The entry that an undo appended, or why there was nothing to undo. */
export type UndoResult = { readonly ok: true; readonly entry: Entry } | { readonly ok: false; readonly reason: string }

/**
 * Undoes the newest change of the view. Later messages stay. It works after a restart and in a fork. A second call with the
 * same key does nothing and returns the first undo.
 */
export function undo(store: Store, id: SessionId, key?: string): Promise<UndoResult> {
  return appendUndo(store, id, 'undo', key)
}

/** Undoes the newest undo, if no other change came after it. */
export function redo(store: Store, id: SessionId, key?: string): Promise<UndoResult> {
  return appendUndo(store, id, 'redo', key)
}

/** The change that the next undo would undo, and the view after it; undefined when there is nothing to undo. */
export async function undoPreview(
  store: Store,
  id: SessionId,
): Promise<{ readonly entry: Entry; readonly view: View } | undefined> {
  const { entries } = await store.entries(id)
  const of = undoTargets(entries).undo
  const entry = entries.find(({ seq }) => seq === of)
  if (entry === undefined) return undefined
  const seq = (entries.at(-1)?.seq ?? 0) + 1
  return { entry, view: viewOf([...entries, { type: 'undo', of: entry.seq, id: '', seq, at: 0 }]) }
}

const TRIES = 5

async function appendUndo(
  store: Store,
  id: SessionId,
  which: 'undo' | 'redo',
  key: string | undefined,
): Promise<UndoResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [earlier] = key === undefined ? [] : ((await store.appended(id, key)) ?? [])
    if (earlier !== undefined) return { ok: true, entry: earlier }
    const session = await requireSession(store, id)
    const { entries } = await store.entries(id, { only: 'changes' })
    const of = undoTargets(entries)[which]
    if (of === undefined) return { ok: false, reason: `Nothing to ${which}` }
    const appended = await store.append(id, [{ type: 'undo', of }], { revision: session.revision, key })
    const entry = appended.ok ? appended.entries[0] : undefined
    if (entry !== undefined) return { ok: true, entry }
    // It may be superseded: another process changed the view, and the newest change is another one now.
  }
  return { ok: false, reason: 'Others are changing the session: try again' }
}

/** How many entries one call redacts. SQLite blocks the process during a call. */
const AT_ONCE = 500

/** Redacts any number of entries in several calls, so that other work can run between them. Returns the redactions. */
export async function redactEntries(store: Store, id: SessionId, seqs: readonly Seq[]): Promise<readonly Entry[]> {
  const all = [...new Set(seqs)]
  const redactions: Entry[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    redactions.push(...(await store.redact(id, all.slice(at, at + AT_ONCE))))
  }
  return redactions
}

/** A message of the log with the messages that cannot be separated from it: a call and its results. */
type LoggedStep = { readonly target: Seq; readonly seqs: readonly Seq[]; readonly messages: readonly Message[] }

/** A call and its results are close together in the log. */
const AROUND = 100

/** The step of a message, anywhere in the log. */
export async function loggedStep(store: Store, id: SessionId, target: Seq): Promise<LoggedStep> {
  const range = { from: Math.max(1, target - AROUND), upTo: target + AROUND }
  const [messages, changes] = await Promise.all([
    store.entries(id, { ...range, only: 'messages' }),
    store.entries(id, { only: 'changes', light: true }),
  ])
  const view = viewOf(inOrder([...messages.entries, ...repairsIn(changes.entries)]))
  const items = view.items.slice()
  const place = items.findIndex(({ seq }) => seq === target)
  if (place === -1) throw new PithError('unknown-entry', `session ${id} has no message #${target}`)
  const { from, to } = stepAround(place, items.length, legalCuts(view))
  const step = items.slice(from, to)
  return { target, seqs: [...new Set(step.map(({ seq }) => seq))], messages: step.map(({ message }) => message) }
}

/** Puts a step back into the view. It then stays through every later compaction. `superseded`: the view has changed meanwhile. */
export function putBack(
  store: Store,
  id: SessionId,
  { target, seqs }: LoggedStep,
  { revision, drift }: { readonly revision: Seq; readonly drift?: Drift | undefined },
): Promise<AppendResult> {
  const draft: EntryDraft = {
    type: 'pin',
    target,
    on: true,
    back: [...seqs],
    drift,
  }
  return store.append(id, [draft], { revision })
}

/** Repairs need no check for undos, because a repair cannot be undone. */
function repairsIn(changes: readonly Entry[]): Entry[] {
  return changes.filter(({ type }) => type === 'repair')
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.seq - b.seq)
}
