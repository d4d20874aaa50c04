import type { Message } from '../../model/message.ts'
import { messagesTokens } from '../../tokens/count.ts'
import type { Estimator } from '../../tokens/estimate/estimate.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'

/** About how many tokens a text or some messages are, without a tokenizer and in linear time. */
export function estimate(what: string | Message | readonly Message[], estimator: Estimator = featureEstimator): number {
  if (typeof what === 'string') return estimator.text(what)
  return messagesTokens('role' in what ? [what] : what, estimator)
}
