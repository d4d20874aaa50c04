import type { CompactResult } from '../../model/compact-result.ts'
import type { Message } from '../../model/message.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import type { Budget } from '../../tokens/budget.ts'
import { logOf } from '../view/log.ts'
import { compact } from './compact.ts'
import type { CompactInput } from './compact-state.ts'
import { logTexts } from './verify/log-texts.ts'

/** As the policy says; where that leaves it too large, by the rungs that need no model and cannot fail. */
export async function compactToFit(
  given: CompactInput,
  messages: readonly Message[],
  { trigger, ceiling = Number.POSITIVE_INFINITY }: Budget,
): Promise<CompactResult> {
  const input: CompactInput = { sourceTexts: async () => logTexts(logOf(messages)), ...given }
  const policy: PolicyPatch = { ...input.policy, mode: 'auto' }
  // A policy without a trigger has no other reason to compact than that the end is near.
  const reason = trigger === undefined ? 'overflow' : 'threshold'
  const first = await compact({ ...input, policy, reason })
  if (first.tokensAfter <= ceiling || first.outcome === 'cancelled') return first
  const second = await compact({ ...input, policy: LOWER_RUNGS, summaryModels: [], reason: 'overflow' })
  return second.compacted ? second : first
}

const LOWER_RUNGS: PolicyPatch = { rungs: ['digest', 'squeeze'] }
