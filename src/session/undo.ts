import { undoTargets } from '../engine/context/view/activity.ts'
import { viewOf } from '../engine/context/view/view-of.ts'
import type { Entry, View } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'
import { requireSession } from './open-session.ts'

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
