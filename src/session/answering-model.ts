import type { SessionId, Store } from '../store/store.ts'

/** How far back an answer is looked for. */
const NEWEST = 100

/** The model that gave the session's last answer; undefined when none of the newest entries is an answer. */
export async function answeringModel(store: Store, id: SessionId): Promise<string | undefined> {
  const { entries } = await store.entries(id, { order: 'newest', limit: NEWEST, light: true })
  const last = entries.findLast((entry) => entry.type === 'message' && entry.model !== undefined)
  return last?.type === 'message' ? last.model : undefined
}
