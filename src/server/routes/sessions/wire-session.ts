import type { WireSession } from '../../../contract/shapes/shapes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { untitledWords } from '../../../session/session-title.ts'
import type { Session, Store } from '../../../store/store.ts'

/** A session as the API returns it. If it has no title, `first_words` replaces it. */
export async function wireSession(store: Store, session: Session): Promise<WireSession> {
  return { ...toWire(session), first_words: await untitledWords(store, session) }
}
