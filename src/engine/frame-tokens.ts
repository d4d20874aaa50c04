import type { Estimator } from '../tokens/estimate.ts'
import { emptyFrameTokens } from './frame.ts'

/**
 * What the frame of the default policy takes by itself around a summary of so many messages. It is rendered and counted
 * once for each number of digits: which ones they are makes no difference.
 */
export function frameTokens(messages: number, estimator: Estimator): number {
  let counts = remembered.get(estimator)
  if (counts === undefined) {
    counts = new Map()
    remembered.set(estimator, counts)
  }
  const digits = String(messages).length
  const known = counts.get(digits) ?? emptyFrameTokens(10 ** digits - 1, estimator)
  counts.set(digits, known)
  return known
}

const remembered = new WeakMap<Estimator, Map<number, number>>()
