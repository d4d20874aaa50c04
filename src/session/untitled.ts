import type { Message } from '../model/types.ts'
import type { Session, SessionId, Store } from '../store/store.ts'
import { firstRealWords, firstWords } from './import/agent-title.ts'

/** Nearly every session has words for a title in its first messages. A list has hundreds of sessions, so no more are read. */
const LOOKED_AT = 4
/** How many messages are read of a session that begins with greetings. */
const LOOKED_AT_AFTER_GREETINGS = 40

/** The text that lists show for a session without a title: the beginning of the first text that the user typed. */
export async function untitledWords(store: Store, { id, title, lastSeq }: Session): Promise<string | undefined> {
  if (title !== undefined || lastSeq === 0) return undefined
  const words = firstRealWords(await firstMessages(store, id, LOOKED_AT))
  return words ?? firstWords(await firstMessages(store, id, LOOKED_AT_AFTER_GREETINGS))
}

async function firstMessages(store: Store, id: SessionId, limit: number): Promise<Message[]> {
  const { entries } = await store.entries(id, { only: 'messages', limit, light: true })
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}
