import { AsyncLocalStorage } from 'node:async_hooks'
import type { Entry, EntryDraft } from '../../model/entry.ts'
import type { SessionId, Store } from '../../store/store.ts'

/** The key of the request that is at work. */
const current = new AsyncLocalStorage<string>()

/** Does what a request with this key asks for: what it comes to is appended under the key, and so only once. */
export function underKey<T>(key: string | undefined, act: () => Promise<T>): Promise<T> {
  return key === undefined ? act() : current.run(key, act)
}

/** The store of a server: what a request comes to is appended under its key. */
export function withAppendKeys(store: Store): Store {
  return {
    ...store,
    append: (id, drafts, options) => {
      const key = drafts.some(endsRequest) ? current.getStore() : undefined
      return store.append(id, drafts, key === undefined ? options : { ...options, key })
    },
  }
}

/** No view has it: an append on it finds what its key has appended, and adds nothing. */
const NO_REVISION = -1

/** What a request with this key has appended, on whichever process it was; nothing if there was none. */
export async function appendedUnder(
  store: Store,
  id: SessionId,
  key: string | undefined,
): Promise<readonly Entry[] | undefined> {
  if (key === undefined) return undefined
  const found = await store.append(id, [], { key, revision: NO_REVISION })
  return found.ok ? found.entries : undefined
}

/** Neither what a session is repaired with on the way, nor a failure, which may be tried again under the same key. */
function endsRequest(draft: EntryDraft): boolean {
  switch (draft.type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'undo':
      return true
    case 'attempt':
      return draft.outcome !== 'failed'
    default:
      return false
  }
}
