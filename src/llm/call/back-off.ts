/** How often a call is tried, and how long the pauses are. */
export type RetryLimits = {
  readonly attempts: number
  /** The first pause; each later one is twice as long. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** All pauses of a call together. */
  readonly totalPauseMs: number
}

export const RETRY_LIMITS: RetryLimits = {
  attempts: 8,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  totalPauseMs: 120_000,
}

/** The pause before the next attempt; undefined to give up. `attempt` is the number of attempts so far. */
export function pauseMs(
  made: { attempt: number; pausedMs: number; retryAfterMs?: number },
  limits: RetryLimits,
  random: () => number,
): number | undefined {
  if (made.attempt >= limits.attempts) return undefined
  const grown = Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** (made.attempt - 1))
  // A random pause in the upper half, so that many callers do not return at once.
  const pause = made.retryAfterMs ?? Math.round(grown * (0.5 + random() / 2))
  return made.pausedMs + pause > limits.totalPauseMs ? undefined : pause
}
