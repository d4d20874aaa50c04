import { compactContext } from '../engine/compact/compact.ts'
import { type CompactOptions, type MeasuredContext, measure } from '../engine/compact/compact-state.ts'
import { logTexts } from '../engine/compact/verify/verify.ts'
import { type Context, type ContextSettings, contextSteps, withSettings } from '../engine/context/context.ts'
import { logOf } from '../engine/context/view/log.ts'
import type { FoldedLog } from '../engine/context/view/plain-view.ts'
import { withoutPromises, withoutRecallIn } from '../engine/context/view/request.ts'
import { foldSteps } from '../engine/context/view/view-of.ts'
import type { CompactResult } from '../model/compact-result.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import { inSlices, type Pause } from '../model/steps.ts'
import { type Message, messagesOf, type View } from '../model/types.ts'
import type { Budget } from '../tokens/budget.ts'
import type { Conversation } from './state/conversation.ts'
import { knownRecord } from './state/known-record.ts'

export { stateFacts } from '../engine/extract/bounded-facts.ts'
export { repairsIn } from './repairs.ts'

/** Reads the record of a conversation that has one. */
export function readConversation(opened: Conversation): Conversation {
  return knownRecord(opened)
}

/** Measures a conversation that was changed before, or that has to be repaired. */
export async function measureChanged(
  { log, made }: Conversation,
  settings: ContextSettings,
  input: CompactOptions,
  { earlier, folded, pause }: KnownConversation,
): Promise<MeasuredContext> {
  const known = folded ?? (await inSlices(foldSteps(log, made), pause))
  return measure(await inSlices(contextSteps(log, settings, known, earlier), pause), input)
}

/** A Context of the beginning of a conversation, and its view if that is known. */
type KnownConversation = {
  readonly earlier: Context | undefined
  readonly folded: FoldedLog | undefined
  readonly pause: Pause
}

/** The messages of a view, without mentions of `recall` if the model does not have it. */
export function fittedMessages(view: View, given: readonly Message[], recall: boolean): Message[] {
  const fitted = messagesOf(view)
  return recall ? fitted : withoutPromises(fitted, given)
}

/** Compacts as the policy says. If the result is still too large, it uses the rungs that need no model and cannot fail. */
export async function compactToFit(
  context: Context,
  given: CompactOptions,
  messages: readonly Message[],
  { trigger, ceiling = Number.POSITIVE_INFINITY }: Budget,
  recall: boolean,
): Promise<CompactResult> {
  const sourceTexts = async () => logTexts(logOf(messages))
  const input: CompactOptions = { sourceTexts, ...given, ...(recall ? {} : withoutRecallIn(given)) }
  const under = (policy: PolicyPatch) => withSettings(context, { ...context.settings, policy })
  // A policy without a trigger compacts only if the window is nearly full.
  const reason = trigger === undefined ? 'overflow' : 'threshold'
  const automatic = under({ ...context.settings.policy, mode: 'auto' })
  const { result: first } = await compactContext(automatic, { ...input, reason })
  if (first.tokensAfter <= ceiling || first.outcome === 'cancelled') return first
  const lower = { ...input, summaryModels: [], reason: 'overflow' as const }
  const { result: second } = await compactContext(under(LOWER_RUNGS), lower)
  return second.compacted ? second : first
}

const LOWER_RUNGS: PolicyPatch = { rungs: ['digest', 'squeeze'] }
