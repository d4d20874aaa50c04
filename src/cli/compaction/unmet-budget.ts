import { count } from '../../engine/report/numbers.ts'
import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'

/** Says that a session could not be brought down to the budget that the user named; undefined where it fits. */
export function unmetBudget(
  budget: number | undefined,
  { outcome, tokensAfter }: Pick<SessionCompactResult, 'outcome' | 'tokensAfter'>,
): string | undefined {
  if (budget === undefined || outcome !== 'skipped' || tokensAfter <= budget) return undefined
  return `A budget of ${count(budget)} tokens cannot be met, and the session stays at ${count(tokensAfter)} tokens: name a larger budget`
}
