import { compact } from '../engine/compact/compact.ts'
import { type CompactInput, measureContext } from '../engine/compact/compact-state.ts'
import type { MeasuredContext } from '../engine/compact/measured-view.ts'
import { logTexts } from '../engine/compact/verify/log-texts.ts'
import { logOf } from '../engine/context/view/log.ts'
import { withoutPromises, withoutRecallIn } from '../engine/context/view/without-recall.ts'
import type { CompactResult } from '../model/compact-result.ts'
import type { Message } from '../model/message/message.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import { messagesOf, type View } from '../model/view.ts'
import type { Budget } from '../tokens/budget.ts'
import type { Conversation } from './state/conversation.ts'
import { knownRecord } from './state/known-record.ts'

/** Reads the record of a conversation that has one. */
export function readConversation(opened: Conversation): Conversation {
  return knownRecord(opened)
}

/** Measures a conversation that was changed before, or that has to be repaired. */
export function measureChanged(input: CompactInput): MeasuredContext {
  return measureContext(input)
}

/** What a view says to a model that has no `recall`. */
export function fittedMessages(view: View, given: readonly Message[], recall: boolean): Message[] {
  const fitted = messagesOf(view)
  return recall ? fitted : withoutPromises(fitted, given)
}

/** As the policy says; where that leaves it too large, by the rungs that need no model and cannot fail. */
export async function compactToFit(
  given: CompactInput,
  messages: readonly Message[],
  { trigger, ceiling = Number.POSITIVE_INFINITY }: Budget,
  recall: boolean,
): Promise<CompactResult> {
  const sourceTexts = async () => logTexts(logOf(messages))
  const input: CompactInput = { sourceTexts, ...given, ...(recall ? {} : withoutRecallIn(given)) }
  const policy: PolicyPatch = { ...input.policy, mode: 'auto' }
  // A policy without a trigger has no other reason to compact than that the end is near.
  const reason = trigger === undefined ? 'overflow' : 'threshold'
  const first = await compact({ ...input, policy, reason })
  if (first.tokensAfter <= ceiling || first.outcome === 'cancelled') return first
  const second = await compact({ ...input, policy: LOWER_RUNGS, summaryModels: [], reason: 'overflow' })
  return second.compacted ? second : first
}

const LOWER_RUNGS: PolicyPatch = { rungs: ['digest', 'squeeze'] }
