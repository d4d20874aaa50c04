import type { Estimator } from '../../tokens/estimate/estimate.ts'
import { perEstimator } from '../../tokens/estimate/per-estimator.ts'
import { emptyFrameTokens } from '../record/frame.ts'

/**
 * What the frame of the default policy takes by itself around a summary of so many messages. It is rendered and counted
 * once for each number of digits: which ones they are makes no difference.
 */
export function frameTokens(messages: number, estimator: Estimator): number {
  const counts = countsOf(estimator)
  const digits = String(messages).length
  const known = counts.get(digits) ?? emptyFrameTokens(10 ** digits - 1, estimator)
  counts.set(digits, known)
  return known
}

const countsOf = perEstimator(() => new Map<number, number>())
