import type { Entry } from '../../model/entry.ts'
import type { Policy } from '../../model/policy/policy.ts'

/** Failures of the summariser in a row. A new session has none. */
export type Breaker = { readonly failures: number; readonly lastFailureAt: number }
export type BreakerState = 'closed' | 'open' | 'half-open'
type BreakerPolicy = Pick<Policy, 'breakerFailures' | 'breakerCooldownMs'>

export const closedBreaker: Breaker = { failures: 0, lastFailureAt: 0 }

/** The breaker of a session: a fold over its log. A summary that a model wrote closes it. */
export function breakerOf(log: readonly Entry[]): Breaker {
  return log.reduce(nextBreaker, closedBreaker)
}

/** The breaker after one more entry. */
export function nextBreaker(breaker: Breaker, entry: Entry): Breaker {
  if (entry.type === 'attempt' && entry.outcome === 'failed')
    return { failures: breaker.failures + 1, lastFailureAt: entry.at }
  return entry.type === 'compaction' && (entry.rung === 'warm' || entry.rung === 'cold') ? closedBreaker : breaker
}

/** Open after enough failures in a row; after the cool-down one try is allowed, and its failure opens it again. */
export function breakerState(breaker: Breaker, policy: BreakerPolicy, now: number): BreakerState {
  if (breaker.failures < policy.breakerFailures) return 'closed'
  // A clock that was set back must not keep it open until the time of the failure comes again.
  return Math.abs(now - breaker.lastFailureAt) < policy.breakerCooldownMs ? 'open' : 'half-open'
}

/** The breaker after one more failure, and whether that one has just tripped it. */
export function recordFailure(
  breaker: Breaker,
  policy: BreakerPolicy,
  now: number,
): { breaker: Breaker; tripped: boolean } {
  const wasOpen = breakerState(breaker, policy, now) === 'open'
  const after = { failures: breaker.failures + 1, lastFailureAt: now }
  return { breaker: after, tripped: !wasOpen && after.failures >= policy.breakerFailures }
}

/** A success closes the breaker. */
export function recordSuccess(): Breaker {
  return closedBreaker
}
