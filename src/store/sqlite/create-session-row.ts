import { changesView } from '../../engine/context/view/changes-view.ts'
import { PithError } from '../../model/problems/errors.ts'
import { keyedId } from '../rows/keyed-id.ts'
import type { Session, SessionDraft, StoreDeps } from '../store.ts'
import { unknownSession } from '../unknown-session.ts'
import type { Database } from './database.ts'
import { selectEntries } from './entry-rows.ts'
import { existingSession, insertSession, isDeleted, selectSession } from './session-rows.ts'

/** Adds a session inside the caller's transaction. With a key that was used before it is the session of the first time. */
export function createSessionRow(database: Database, { key, ...draft }: SessionDraft, deps: StoreDeps): Session {
  const id = key === undefined ? deps.ids() : keyedId(key)
  const known = key === undefined ? undefined : selectSession(database, id)
  if (known !== undefined) return known
  // The row of a deleted session stays while forks share its entries.
  if (key !== undefined && isDeleted(database, id)) throw unknownSession(id)
  const parent = draft.parent === undefined ? undefined : existingSession(database, draft.parent.id)
  if (parent !== undefined && (draft.parent?.seq ?? 0) > parent.lastSeq) {
    throw new PithError('unknown-entry', `session ${parent.id} has no entry #${draft.parent?.seq}`)
  }
  const now = draft.createdAt ?? deps.clock()
  const lastSeq = draft.parent?.seq ?? 0
  const changes =
    parent === undefined
      ? []
      : selectEntries(database, parent.id, { upTo: lastSeq, only: 'changes', light: true }).entries
  const session: Session = {
    ...draft,
    id,
    createdAt: now,
    updatedAt: now,
    lastSeq,
    revision: changes.findLast(changesView)?.seq ?? 0,
  }
  insertSession(database, session)
  return session
}
