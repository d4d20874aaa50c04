import type { WindowGuess } from '../../engine/report/status-text.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { overflowIn } from '../../llm/failure/overflow.ts'
import { type Entry, type ModelInfo, modelName, type Origin } from '../../model/types.ts'
import { modelNamed, type Registry } from '../../models/registry.ts'

/** The registry, and the models that the user's own configuration describes. */
export type KnownModels = { readonly registry: Registry; readonly own: readonly ModelInfo[] }

/** Windows that agents set themselves although the model would take more, or less. */
const WINDOWS = [128_000, 200_000, 272_000, 400_000, 1_000_000] as const

/**
 * The windows of an agent that chooses by itself, its default first. Claude Code works with 200,000 tokens, also if the model
 * takes a million, until the user asks for more; its file seldom says which.
 */
const WINDOWS_OF: Partial<Record<DecodedSession['format'], readonly number[]>> = {
  'claude-code': [200_000, 1_000_000],
}

/** The origin that an import wrote into a log. */
export function originIn(log: readonly Entry[]): Origin | undefined {
  const found = log.findLast((entry) => entry.type === 'settings' && entry.origin !== undefined)
  return found?.type === 'settings' ? found.origin : undefined
}

/**
 * The prompt that was imported with a session; undefined after a compaction of ours, which knows the size of all that is sent around
 * the messages.
 */
export function importedSystem(log: readonly Entry[], system: string | undefined): string | undefined {
  const isInSizes = (entry: Entry) =>
    entry.type === 'compaction' && entry.unseenTokens !== undefined && entry.drift?.beside === undefined
  return log.some(isInSizes) ? undefined : system
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
 * The window that an agent worked with, if it is not the model's. The agent's file or a provider that refused a request may
 * name it. Otherwise the user's own setting for the model counts (`ownWindow`), and if there is none, the window is guessed.
 */
export function agentWindow(
  session: DecodedSession,
  model: Partial<ModelInfo>,
  ownWindow?: number,
): { readonly window?: number; readonly guess?: WindowGuess } {
  const window = session.window ?? refusedWindow(session)
  if (window !== undefined) return { window }
  return ownWindow === undefined ? (guessedWindow(session, model.contextWindow) ?? {}) : {}
}

/** The window that a provider named when it refused a request. */
function refusedWindow({ refusals = [] }: DecodedSession): number | undefined {
  const limits = refusals.flatMap((message) => overflowIn({ message, body: '' })?.limit ?? [])
  return limits.at(-1)
}

function guessedWindow(session: DecodedSession, known: number | undefined) {
  const windows = WINDOWS_OF[session.format]
  if (known === undefined && windows === undefined) return undefined
  const compactedAt = compactedByItself(session)
  const most = Math.max(compactedAt, mostTokens(session))
  const window = (windows ?? WINDOWS).find((size) => size >= most)
  if (window === undefined || window === known) return undefined
  if (most > (known ?? windows?.[0] ?? 0)) return { window, guess: { from: 'usage' as const, tokens: most } }
  if (known !== undefined && window > known) return undefined
  if (compactedAt > 0 && (known === undefined || compactedAt <= known / 2))
    return { window, guess: { from: 'compaction' as const, tokens: compactedAt } }
  return windows === undefined ? undefined : { window, guess: { from: 'default' as const, tokens: most } }
}

/** The most tokens that the file reports for one request. */
function mostTokens({ entries, compactions }: DecodedSession): number {
  const recorded = compactions.map(({ tokensBefore = 0, byPith }) => (byPith === true ? 0 : tokensBefore))
  return recorded.reduce((most, tokens) => Math.max(most, tokens), mostReported(entries))
}

function mostReported(log: readonly Entry[]): number {
  return log.reduce(
    (most, entry) => (entry.type === 'message' ? Math.max(most, entry.usage?.inputTokens ?? 0) : most),
    0,
  )
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
  const { window, guess } = origin
  if (guess === undefined) return { name, info: modelWithWindow(info, window) }
  // The session may have grown since it was imported.
  if (guess.from === 'default' && mostReported(log) > window) return { name, info }
  return { name, info: { ...modelWithWindow(info, window), windowAssumed: true }, guess }
}

/** The model with another window, to which its own input limit does not apply. */
export function modelWithWindow<Info extends Partial<ModelInfo>>(info: Info, contextWindow: number): Info {
  if (contextWindow === info.contextWindow && info.windowAssumed === undefined) return info
  return { ...info, contextWindow, windowAssumed: undefined, maxInput: undefined }
}
