import { randomUUID } from 'node:crypto'
import { keyedId } from '../../store/rows/table-rows.ts'
import type { Session, SessionDraft, SessionId, Store } from '../../store/store.ts'

type UnsavedSession = { readonly session: Session; readonly draft: SessionDraft & { readonly key: string } }

/**
 * A store in which a new session gets its row with its first change. A first screen that is left again has then stored nothing,
 * even if its process was killed.
 */
export function withUnsavedSessions(store: Store): Store {
  const unsaved = new Map<SessionId, UnsavedSession>()
  const saved = async (id: SessionId | undefined): Promise<void> => {
    const draft = unsaved.get(id ?? '')?.draft
    if (draft === undefined) return
    // The key makes two changes at once create one row, with the id that the screen has already.
    await store.createSession(draft)
    unsaved.delete(id ?? '')
  }
  const after = async <T>(id: SessionId | undefined, work: () => Promise<T>): Promise<T> => {
    await saved(id)
    return work()
  }
  return {
    ...store,
    createSession: async (draft) => {
      if (draft.parent !== undefined || draft.title !== undefined)
        return after(draft.parent?.id, () => store.createSession(draft))
      const key = draft.key ?? randomUUID()
      const at = draft.createdAt ?? Date.now()
      const { owner, workspace } = draft
      const session = { id: keyedId(key), owner, workspace, createdAt: at, updatedAt: at, lastSeq: 0, revision: 0 }
      unsaved.set(session.id, { session, draft: { ...draft, key } })
      return session
    },
    session: async (id) => unsaved.get(id)?.session ?? store.session(id),
    entries: async (id, query) => (unsaved.has(id) ? { entries: [], bad: [] } : store.entries(id, query)),
    deleteSession: (id) => {
      unsaved.delete(id)
      return store.deleteSession(id)
    },
    append: (id, drafts, options) => after(id, () => store.append(id, drafts, options)),
    renameSession: (id, title) => after(id, () => store.renameSession(id, title)),
    acquireLease: (id, holder, ttlMs) => after(id, () => store.acquireLease(id, holder, ttlMs)),
    pauseAppends: (id, ms) => after(id, () => store.pauseAppends(id, ms)),
  }
}
