import { featureEstimator, type Message, messageTokens } from '../../../src/engine.ts'
import type { Method } from './method.ts'

/** The newest messages that fit, starting where a provider lets a conversation start. */
export const truncation: Method = {
  name: 'tail truncation',
  run: async ({ before }, budget) => ({ ok: true, messages: newestWithin(before, budget) }),
}

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
