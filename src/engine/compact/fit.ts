import type { CompactResult } from '../../model/compact-result.ts'
import type { Fixed, ToolSchema } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import { estimatorOf } from '../measure/estimator-of.ts'
import { statusOf } from '../measure/status-of.ts'
import { logOf } from '../view/log.ts'
import type { CompactInput } from './compact.ts'
import { compactMessages } from './compact-messages.ts'

export type FitOptions = Omit<CompactInput, 'log' | 'reason' | 'fixed' | 'model'> & {
  /** The context window of the model, in tokens. */
  readonly window: number
  /** The system prompt is counted, but not changed. */
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
}

/** The messages, and whether they fit. `fits` is false only when nothing more can be removed; `why` then says it in a sentence. */
export type FitResult = {
  readonly messages: Message[]
  readonly fits: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly why?: string
  /** How it was done, when there was something to do. */
  readonly result?: CompactResult
}

/**
 * Messages that fit the window: the same ones while they are under the policy's trigger, else compacted. What stands behind
 * the last answer goes out whole while it fits. System messages at the front stay there. With no model given the summary is
 * a digest, made from the messages alone.
 */
export async function fit(messages: readonly Message[], options: FitOptions): Promise<FitResult> {
  const { window, system, tools, ...rest } = options
  const { leading, said } = apart(messages)
  const fixed: Fixed = { system: [system ?? '', ...leading.map(({ content }) => content)].join('\n'), tools }
  const input: Omit<CompactInput, 'log'> = { ...rest, fixed, model: { contextWindow: window } }
  const before = statusOf(logOf(said), input).tokens
  const policy = policyOf(options.policy)
  const estimator = options.estimator ?? estimatorOf(policy, logOf(said), input.model ?? {})
  const budget = budgetOf(policy, window, undefined, fixedTotal(fixed, estimator))
  const { ceiling = window, trigger = ceiling } = budget
  const unchanged = { messages: [...messages], fits: true, tokensBefore: before, tokensAfter: before }
  if (before < trigger) return unchanged
  const result = await smallest(said, input, budget)
  if (result.outcome === 'skipped' && result.skip === 'under-trigger') return unchanged
  const fits = result.tokensAfter <= ceiling
  return {
    messages: result.compacted ? [...leading, ...result.messages] : [...messages],
    fits,
    tokensBefore: before,
    tokensAfter: result.tokensAfter,
    why: fits ? undefined : result.reason,
    result,
  }
}

/** As the policy says; where that leaves it too large, by the rungs that need no model and cannot fail. */
async function smallest(
  messages: readonly Message[],
  input: Omit<CompactInput, 'log'>,
  { trigger, ceiling = Number.POSITIVE_INFINITY }: Budget,
): Promise<CompactResult> {
  const policy: PolicyPatch = { ...input.policy, mode: 'auto' }
  // A policy without a trigger has no other reason to compact than that the end is near.
  const reason = trigger === undefined ? 'overflow' : 'threshold'
  const first = await compactMessages(messages, { ...input, policy, reason })
  if (first.tokensAfter <= ceiling || first.outcome === 'cancelled') return first
  const second = await compactMessages(messages, {
    ...input,
    policy: LOWER_RUNGS,
    summaryModels: [],
    reason: 'overflow',
  })
  return second.compacted ? second : first
}

const LOWER_RUNGS: PolicyPatch = { rungs: ['digest', 'squeeze'] }

type SystemMessage = Extract<Message, { role: 'system' }>

/** Instructions are no part of the conversation: they are never summarised. */
function apart(messages: readonly Message[]): { leading: SystemMessage[]; said: Message[] } {
  const first = messages.findIndex((message) => message.role !== 'system')
  const end = first === -1 ? messages.length : first
  return {
    leading: messages.slice(0, end).filter((message) => message.role === 'system'),
    said: messages.slice(end),
  }
}
