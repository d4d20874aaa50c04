import type { Entry } from '../model/types.ts'
import type { SessionId, SessionQuery, Store } from '../store/store.ts'
import { wholeLog } from './entries-in.ts'

/** A stored session with its whole log, as `projectMemory` takes it. */
export type StoredLog = { readonly id: SessionId; readonly workspace: string; readonly entries: readonly Entry[] }

/** How many sessions are read if the query names no limit: a memory of more than these has nothing new. */
const MOST_SESSIONS = 500

/**
 * The logs of stored sessions, the most recently changed first, one after the other, so that not all of them must be in memory.
 * Sessions of all owners are read unless the query names one.
 */
export async function* sessionLogs(
  store: Store,
  { limit = MOST_SESSIONS, ...query }: SessionQuery = {},
): AsyncGenerator<StoredLog, void> {
  const { sessions } = await store.sessions({ ...query, limit })
  for (const { id, workspace } of sessions) {
    yield { id, workspace, entries: await wholeLog(store, id) }
  }
}
