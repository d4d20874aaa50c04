import { type PreviewResult, previewOf } from '../../engine/compact/preview.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { openSession } from '../open-session.ts'
import { sessionContext, settingsIn } from '../session-context.ts'
import type { CompactSessionInput } from './compact-session.ts'

/** Previews a compaction of the session: its result and its price. Nothing changes. */
export async function previewSession(
  store: Store,
  id: SessionId,
  input: Omit<CompactSessionInput, 'holder'>,
): Promise<PreviewResult> {
  const open = await openSession(store, id)
  return previewOf(sessionContext(open, settingsIn(input)), input)
}
