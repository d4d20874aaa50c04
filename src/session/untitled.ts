import type { Session, Store } from '../store/store.ts'
import { firstWords } from './import/agent-title.ts'

/** So many messages of a session without a title are looked at: a greeting is seldom followed by many more. */
const LOOKED_AT = 40

/** What lists show in the place of a title that nobody gave: the beginning of what the user typed first. */
export async function untitledWords(store: Store, { id, title, lastSeq }: Session): Promise<string | undefined> {
  if (title !== undefined || lastSeq === 0) return undefined
  const { entries } = await store.entries(id, { only: 'messages', limit: LOOKED_AT, light: true })
  return firstWords(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
}
