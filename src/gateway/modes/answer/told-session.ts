import type { Seq } from '../../../model/ids.ts'
import { openSession } from '../../../session/open-session.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { lastTold } from './last-told.ts'

/** A session, and its end now. */
export type ToldSession = { readonly session: SessionId; readonly seq: Seq }

/**
 * The session that a client tells as a text: the one that was answered last, or, in a process that has answered none, the
 * newest one whose words are in the text.
 */
export async function toldSession(
  store: Store,
  owner: string,
  told: string,
  last: SessionId | undefined,
): Promise<ToldSession | undefined> {
  const { sessions } = await store.sessions({ owner, limit: MOST_LOOKS })
  const ids = new Set([...(last === undefined ? [] : [last]), ...sessions.map(({ id }) => id)])
  for (const session of ids) {
    const { view } = await openSession(store, session)
    // Agents say the same words in many sessions; users seldom do.
    const asked = view.items.slice().filter(({ message }) => message.role === 'user')
    if (lastTold(asked, told) !== undefined) return { session, seq: view.lastSeq }
  }
  return undefined
}

const MOST_LOOKS = 10
