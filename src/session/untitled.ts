import type { Message } from '../model/message/message.ts'
import type { Session, SessionId, Store } from '../store/store.ts'
import { firstRealWords, firstWords } from './import/agent-title.ts'

/** Nearly every session has words to be called after in so many messages. A list has hundreds of sessions: no more are read. */
const LOOKED_AT = 4
/** Of a session that begins with greetings so many are looked at. */
const LOOKED_AT_BEHIND_GREETINGS = 40

/** What lists show in the place of a title that nobody gave: the beginning of what the user typed first. */
export async function untitledWords(store: Store, { id, title, lastSeq }: Session): Promise<string | undefined> {
  if (title !== undefined || lastSeq === 0) return undefined
  const words = firstRealWords(await firstMessages(store, id, LOOKED_AT))
  return words ?? firstWords(await firstMessages(store, id, LOOKED_AT_BEHIND_GREETINGS))
}

async function firstMessages(store: Store, id: SessionId, limit: number): Promise<Message[]> {
  const { entries } = await store.entries(id, { only: 'messages', limit, light: true })
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}
