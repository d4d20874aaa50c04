import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { openStore } from '../../store/open-store.ts'
import type { Session, Store } from '../../store/store.ts'

/** The id that the next session gets, for whoever creates one with a key. */
const wanted = new AsyncLocalStorage<{ id: string | undefined }>()

/** Where a server's ids come from: a session that is created with a key has an id that follows from the key. */
function keyedIds(): string {
  const next = wanted.getStore()
  const id = next?.id
  if (next !== undefined) next.id = undefined
  return id ?? randomUUID()
}

/** Opens a store for a server. */
export function openServerStore(where?: string): Promise<Store> {
  return openStore(where, { ids: keyedIds, clock: Date.now })
}

/** Creates a session once: the same key gives the same session, on whichever process it comes in again. */
export async function createOnce(
  store: Store,
  key: string | undefined,
  create: () => Promise<Session>,
): Promise<{ readonly session: Session; readonly isNew: boolean }> {
  if (key === undefined) return { session: await create(), isNew: true }
  const id = keyedId(key)
  const known = await store.session(id)
  if (known !== undefined) return { session: known, isNew: false }
  try {
    return { session: await wanted.run({ id }, create), isNew: true }
  } catch (error) {
    // Another process was first.
    const made = await store.session(id)
    if (made === undefined) throw error
    return { session: made, isNew: false }
  }
}

/** The id that follows from a key: its hash in the form of a UUID. */
export function keyedId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
