import type { Entry } from '../../model/entry.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { KnownBeginnings } from '../../model/values/known-beginnings.ts'

/** Failures of the summariser in a row. A new session has none. */
export type Breaker = { readonly failures: number; readonly lastFailureAt: number }
export type BreakerState = 'closed' | 'open' | 'half-open'
type BreakerPolicy = Pick<Policy, 'breakerFailures' | 'breakerCooldownMs'>

export const closedBreaker: Breaker = { failures: 0, lastFailureAt: 0 }

/** The breaker of a session: a fold over its log. A summary that a model wrote closes it. */
export function breakerOf(log: readonly Entry[]): Breaker {
  const before = known.longest(log)
  let breaker = before?.value ?? closedBreaker
  for (const entry of log.slice(before?.length ?? 0)) {
    if (entry.type === 'attempt' && entry.outcome === 'failed') {
      breaker = { failures: breaker.failures + 1, lastFailureAt: entry.at }
    } else if (entry.type === 'compaction' && (entry.rung === 'warm' || entry.rung === 'cold')) {
      breaker = closedBreaker
    }
  }
  known.keep(log, breaker, before)
  return breaker
}

/** A step of an agent asks for the breaker of a log that is a few entries longer. */
const known = new KnownBeginnings<Entry, Breaker>()

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
