import type { Message } from '../model/types.ts'
import { messageTokens } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import type { Compactor } from './compactor.ts'
import { allNamesIn, messageShown } from './truth/needed.ts'

/** Compactors that cheat. A probe that one of them wins measures the wrong thing, unless another column gives it away. */
export const BASELINES: readonly Compactor[] = [
  {
    name: 'tail only',
    from: 'baseline: the newest messages that fit, like plain truncation',
    compact: async ({ messages, targetTokens }) => ({ messages: newestWithin(messages, targetTokens) }),
  },
  {
    name: 'names only',
    from: 'baseline: every name that occurs, newest first, and not a word about it',
    compact: async ({ messages, targetTokens }) => ({
      messages: [{ role: 'user', content: namesOf(messages, targetTokens) }],
    }),
  },
]

/** As many of the newest messages as fit; a result is never left without its call. */
export function newestWithin(messages: readonly Message[], budget: number): Message[] {
  let left = budget
  let from = messages.length
  while (from > 0) {
    const message = messages[from - 1]
    if (message === undefined) break
    left -= messageTokens(message, featureEstimator)
    if (left < 0) break
    from--
  }
  while (messages[from]?.role === 'tool') from++
  return messages.slice(from)
}

function namesOf(messages: readonly Message[], budget: number): string {
  const names = new Set(messages.toReversed().flatMap((message) => allNamesIn(messageShown(message))))
  const kept: string[] = []
  let left = budget
  for (const name of names) {
    left -= featureEstimator.text(`${name}, `)
    if (left < 0) break
    kept.push(name)
  }
  return kept.join(', ')
}
