import type { WindowGuess } from '../../engine/report/status-text.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { type Entry, type ModelInfo, modelName, type Origin } from '../../model/types.ts'
import { modelNamed, type Registry } from '../../models/registry.ts'

/** The registry, and the models that the user's own configuration describes. */
export type KnownModels = { readonly registry: Registry; readonly own: readonly ModelInfo[] }

/** Windows that agents set themselves although the model would take more, or less. */
const WINDOWS = [128_000, 200_000, 272_000, 400_000, 1_000_000] as const

/** The origin that an import wrote into a log. */
export function originIn(log: readonly Entry[]): Origin | undefined {
  const found = log.findLast((entry) => entry.type === 'settings' && entry.origin !== undefined)
  return found?.type === 'settings' ? found.origin : undefined
}

/** The origin of another agent's session. A session of ours has it in its log already. */
export function originOf(session: DecodedSession, known: KnownModels): Origin | undefined {
  const { agent, version, system } = session
  if (session.format === 'pith') return undefined
  const model = lastModel(session.entries) ?? session.models.findLast((name) => !name.includes('<'))
  return {
    agent,
    version,
    model,
    ...agentWindow(session, modelNamed(known.registry, model), ownWindow(known, model)),
    system: system.length === 0 ? undefined : system.join('\n\n'),
  }
}

/** The model of the last answer, or the one that was chosen since. */
export function lastModel(log: readonly Entry[]): string | undefined {
  const last = log.findLast(
    (entry) => (entry.type === 'message' || entry.type === 'settings') && entry.model !== undefined,
  )
  return last?.type === 'message' || last?.type === 'settings' ? last.model : undefined
}

function ownWindow({ own }: KnownModels, name: string | undefined): number | undefined {
  return own.find((model) => modelName(model) === name)?.contextWindow
}

/**
 * The window that an agent worked with, if it is not the model's. The agent's file may name it. Otherwise the user's own
 * setting for the model counts (`ownWindow`), and if there is none, the window is guessed from the file.
 */
export function agentWindow(
  session: DecodedSession,
  model: Partial<ModelInfo>,
  ownWindow?: number,
): { readonly window?: number; readonly guess?: WindowGuess } {
  if (session.window !== undefined) return { window: session.window }
  if (ownWindow !== undefined || model.contextWindow === undefined) return {}
  return guessedWindow(session, model.contextWindow) ?? {}
}

function guessedWindow(session: DecodedSession, known: number) {
  const compactedAt = compactedByItself(session)
  const most = session.entries.reduce(
    (peak, entry) => (entry.type === 'message' ? Math.max(peak, entry.usage?.inputTokens ?? 0) : peak),
    compactedAt,
  )
  const window = WINDOWS.find((size) => size >= most)
  if (window === undefined || window === known) return undefined
  if (most > known) return { window, guess: { from: 'usage' as const, tokens: most } }
  if (compactedAt === 0 || compactedAt > known / 2 || window > known) return undefined
  return { window, guess: { from: 'compaction' as const, tokens: compactedAt } }
}

/** The most tokens at which the agent compacted by itself. Compactions by a person or by Pith say nothing about a window. */
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

/** The model that a session is measured with: of its last answer, or chosen since. Its window may be a guess. */
export type OwnModel = {
  readonly name?: string
  readonly info: Partial<ModelInfo>
  readonly guess?: WindowGuess
}

/** The model of a session, with the window that its agent worked with. It need not be a model that can be called here. */
export function ownModel(
  log: readonly Entry[],
  registry: Registry,
  origin: Origin | undefined = originIn(log),
): OwnModel {
  const name = lastModel(log) ?? origin?.model
  const info = modelNamed(registry, name)
  if (origin?.window === undefined || name !== origin.model) return { name, info }
  return { name, info: withWindow(info, origin.window), guess: origin.guess }
}

function withWindow(info: Partial<ModelInfo>, contextWindow: number): Partial<ModelInfo> {
  if (contextWindow === info.contextWindow) return info
  const { maxInput: _, ...rest } = info
  return { ...rest, contextWindow }
}
