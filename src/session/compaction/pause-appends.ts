import type { SessionId, Store } from '../../store/store.ts'

/** A session whose other writers wait. Through this store one goes on writing. */
export type PausedSession = { readonly store: Store; readonly resume: () => Promise<void> }

/** A digest takes some hundred milliseconds. The pause ends with it, or by itself when its process dies. */
const PAUSE_MS = 10_000

/** Lets all other writers of a session wait. While another pause lasts, nobody does. */
export async function pauseAppends(store: Store, id: SessionId): Promise<PausedSession> {
  const pause = await store.pauseAppends(id, PAUSE_MS)
  if (pause === undefined) return { store, resume: async () => {} }
  return {
    store: { ...store, append: (to, drafts, options) => store.append(to, drafts, { ...options, pause }) },
    resume: () => store.resumeAppends(id, pause),
  }
}
