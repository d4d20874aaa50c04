import type { Entry } from '../../../model/types.ts'

/** True if the last answer of a log is so old that the provider's prompt cache has expired. */
export function isCacheCold(log: readonly Entry[], now: number, lifetimeMs: number | undefined): boolean {
  if (lifetimeMs === undefined) return false
  const answer = log.findLast((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  return answer !== undefined && now - answer.at > lifetimeMs
}
