import { count } from '../../engine/report/numbers.ts'
import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'
import type { CompactWishes } from './compact-log.ts'

/** Says that a session could not be brought down to the budget that the user named; undefined where it fits. */
export function unmetBudget(
  { budget, at }: Pick<CompactWishes, 'budget' | 'at'>,
  { outcome, tokensBefore, tokensAfter }: Pick<SessionCompactResult, 'outcome' | 'tokensBefore' | 'tokensAfter'>,
): string | undefined {
  const hasEnded = outcome === 'skipped' || outcome === 'compacted'
  if (budget === undefined || !hasEnded || tokensAfter <= budget) return undefined
  const advice = at === undefined ? 'name a larger budget' : 'name a larger budget, or a later place for --at'
  return `A budget of ${count(budget)} tokens cannot be met, and the session stays at ${count(tokensBefore)} tokens: ${advice}`
}
