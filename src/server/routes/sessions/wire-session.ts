import type { WireSession } from '../../../contract/shapes/shapes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { untitledWords } from '../../../session/untitled.ts'
import type { Session, Store } from '../../../store/store.ts'

/** A session as the API gives it, with the words that stand for a title it does not have. */
export async function wireSession(store: Store, session: Session): Promise<WireSession> {
  return { ...toWire(session), first_words: await untitledWords(store, session) }
}
