import { type PreviewResult, preview } from '../../engine/compact/preview.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { openSession } from '../open-session.ts'
import type { CompactSessionInput } from './compact-session.ts'

/** What a compaction of the session would do, and its price, without doing it. */
export async function previewSession(
  store: Store,
  id: SessionId,
  input: Omit<CompactSessionInput, 'holder'>,
): Promise<PreviewResult> {
  const { log } = await openSession(store, id)
  return preview({ ...input, log })
}
