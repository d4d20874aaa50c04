import type { WindowGuess } from '../../engine/report/window-guess.ts'
import type { DecodedSession } from '../../formats/index.ts'
import type { ModelInfo } from '../../model/model-info.ts'

/** Windows that agents set themselves although the model would take more, or less. */
const WINDOWS = [128_000, 200_000, 272_000, 400_000, 1_000_000] as const

/** The model of a session with the window that its agent worked with. */
export type WindowedModel = { readonly model: Partial<ModelInfo>; readonly guess?: WindowGuess }

/**
 * The window that an agent worked with: what its file says; else what the user says of the model (`ownWindow`); else the
 * model's, unless the file shows that it was another one.
 */
export function withAgentWindow(session: DecodedSession, model: Partial<ModelInfo>, ownWindow?: number): WindowedModel {
  if (session.format === 'pith') return { model }
  if (session.window !== undefined) return { model: withWindow(model, session.window) }
  if (ownWindow !== undefined || model.contextWindow === undefined) return { model }
  return guessed(session, model, model.contextWindow) ?? { model }
}

function guessed(session: DecodedSession, model: Partial<ModelInfo>, known: number): WindowedModel | undefined {
  const compactedAt = compactedByItself(session)
  const most = session.entries.reduce(
    (peak, entry) => (entry.type === 'message' ? Math.max(peak, entry.usage?.inputTokens ?? 0) : peak),
    compactedAt,
  )
  const used = WINDOWS.find((window) => window >= most)
  if (used === undefined || used === known) return undefined
  if (most > known) return { model: withWindow(model, used), guess: { from: 'usage', tokens: most } }
  if (compactedAt === 0 || compactedAt > known / 2 || used > known) return undefined
  return { model: withWindow(model, used), guess: { from: 'compaction', tokens: compactedAt } }
}

/** The most tokens at which the agent compacted by itself. What a person or Pith compacted says nothing about a window. */
function compactedByItself({ compactions, entries }: DecodedSession): number {
  const automatic = new Set(
    compactions.flatMap(({ seq, trigger, summary }) => (trigger === 'auto' && !OWN_RECORD.test(summary) ? [seq] : [])),
  )
  return entries.reduce(
    (most, entry) =>
      entry.type === 'compaction' && automatic.has(entry.seq) ? Math.max(most, entry.tokensBefore) : most,
    0,
  )
}

/** The mark around every record of ours. */
const OWN_RECORD = /<record-[0-9a-f]{6,}>/

function withWindow(model: Partial<ModelInfo>, contextWindow: number): Partial<ModelInfo> {
  if (contextWindow === model.contextWindow) return model
  const { maxInput: _, ...rest } = model
  return { ...rest, contextWindow }
}
