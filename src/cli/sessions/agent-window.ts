import type { DecodedSession } from '../../formats/index.ts'
import type { ModelInfo } from '../../model/model-info.ts'

/** Windows that agents set themselves although the model would take more. */
const WINDOWS = [128_000, 200_000, 272_000, 400_000] as const

/**
 * The model with the window that its agent used. An agent that compacted by itself long before the model's window was full
 * works with a smaller one, which is taken to be the next of the usual sizes.
 */
export function withAgentWindow(session: DecodedSession, model: Partial<ModelInfo>): Partial<ModelInfo> {
  const { contextWindow } = model
  if (contextWindow === undefined || session.format === 'pith') return model
  const byUser = new Set(session.compactions.flatMap(({ seq, trigger }) => (trigger === 'manual' ? [seq] : [])))
  const compactedAt = session.entries.reduce(
    (most, entry) =>
      entry.type === 'compaction' && !byUser.has(entry.seq) ? Math.max(most, entry.tokensBefore) : most,
    0,
  )
  if (compactedAt === 0 || compactedAt > contextWindow / 2) return model
  const most = session.entries.reduce(
    (peak, entry) => (entry.type === 'message' ? Math.max(peak, entry.usage?.inputTokens ?? 0) : peak),
    compactedAt,
  )
  const used = WINDOWS.find((window) => window >= most)
  const { maxInput: _, ...rest } = model
  return used === undefined || used >= contextWindow ? model : { ...rest, contextWindow: used }
}
