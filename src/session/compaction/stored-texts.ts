import { logTexts } from '../../engine/compact/verify/log-texts.ts'
import type { Session, Store } from '../../store/store.ts'

/** The texts of all stored messages, and the folder of the session: an open session holds only what its view needs. */
export async function storedTexts(store: Store, { id, workspace, lastSeq }: Session): Promise<readonly string[]> {
  const { entries } = await store.entries(id, { upTo: lastSeq, only: 'messages' })
  return [...logTexts(entries), workspace]
}
