import type { Policy } from '../../../model/policy/policy.ts'
import { type Entry, knownName, type Message, type ModelInfo } from '../../../model/types.ts'
import { calibrated } from '../../../tokens/calibrate.ts'
import { charactersByFour, type Estimator, messagesTokens } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { calibrationOf } from './calibration.ts'

/** The estimator of a policy, calibrated on the counts that the provider reported in the log. */
export function estimatorOf(
  policy: Pick<Policy, 'estimator'>,
  log: readonly Entry[] = [],
  model: Partial<ModelInfo> = {},
): Estimator {
  const estimator = policyEstimator(policy)
  return calibrated(estimator, calibrationOf(log, knownName(model), estimator))
}

/** The estimator of a policy before any provider has reported. */
export function policyEstimator({ estimator }: Pick<Policy, 'estimator'>): Estimator {
  return estimator === 'characters' ? charactersByFour : featureEstimator
}

/**
 * An estimate of the tokens of a text or of messages, without a tokenizer and in linear time.
 *
 * @example
 * ```ts
 * import { estimate } from 'pith'
 *
 * console.log(estimate('How many tokens are these words?'), estimate(messages))
 * ```
 */
export function estimate(what: string | Message | readonly Message[], estimator: Estimator = featureEstimator): number {
  if (typeof what === 'string') return estimator.text(what)
  return messagesTokens('role' in what ? [what] : what, estimator)
}
