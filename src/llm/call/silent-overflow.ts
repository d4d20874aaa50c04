import { count } from '../../engine/report/numbers.ts'
import type { Usage } from '../../model/provider/usage.ts'
import { messagesTokens } from '../../tokens/count.ts'
import { fixedTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import type { ModelFailure } from '../failure/model-failure.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { ModelCall } from './chat-model.ts'

/** A call that ended without an error. */
export type FinishedCall = {
  readonly call: ModelCall
  readonly endpoint: Endpoint
  /** The answer has no text, no reasoning and no call. */
  readonly isEmpty: boolean
  readonly reason: string
  readonly usage: Usage | undefined
}

/**
 * An overflow that the provider does not report as an error. Some servers end with `length` and an empty answer: the
 * input left no room. Ollama drops the beginning of the request and reports only the tokens that it kept: half of its
 * context and a few more, or the rest after whole messages were dropped.
 */
export function silentOverflow({ call, endpoint, isEmpty, reason, usage }: FinishedCall): ModelFailure | undefined {
  const { provider } = endpoint
  // With output tokens it is no overflow: hidden reasoning has used up the limit of the answer.
  if (reason === 'length' && isEmpty && (usage?.outputTokens ?? 0) <= 1) {
    return { kind: 'overflow', text: `${provider}: the request leaves no room for an answer` }
  }
  if (!endpoint.truncates || usage === undefined) return undefined
  const sent = estimate(call)
  const kept = usage.inputTokens
  const isHalf = kept % HALF_STEP <= HALF_SLACK && kept >= HALF_STEP
  if (sent < LEAST_TOKENS || kept >= sent * (isHalf ? HALF_SHARE : KEPT_SHARE)) return undefined
  const limit = isHalf ? (kept - (kept % HALF_STEP)) * 2 : kept
  const text = `${provider}: it read only ${count(kept)} of about ${count(sent)} tokens; load the model with a larger context`
  return { kind: 'overflow', text, tokens: sent, limit }
}

// Our estimate can be off by a third, and Ollama keeps num_ctx / 2 + 2 tokens of a context that is a multiple of 1,024.
const KEPT_SHARE = 0.5
const HALF_SHARE = 0.7
const HALF_STEP = 512
const HALF_SLACK = 8
const LEAST_TOKENS = 1_500

function estimate({ system, tools, messages }: ModelCall): number {
  const fixed = fixedTokens({ system: system.join('\n\n'), tools }, featureEstimator)
  return fixed.system + fixed.tools + messagesTokens(messages, featureEstimator)
}
