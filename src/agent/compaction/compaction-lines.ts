import type { SessionCompactResult } from '../../session/compact-session.ts'

/** What a compaction came to, in the lines that a user sees (A12, A15). */
export function compactionLines(
  result: Pick<
    SessionCompactResult,
    'outcome' | 'reason' | 'rung' | 'messagesRemoved' | 'tokensBefore' | 'tokensAfter'
  >,
): string[] {
  const { outcome, reason, rung, messagesRemoved, tokensBefore, tokensAfter } = result
  if (outcome === 'skipped') return [`No compaction needed: ${reason}`]
  if (outcome === 'cancelled') return ['Compaction cancelled.']
  if (outcome === 'failed') return [`Compaction failed: ${reason}`]
  return [
    rung === 'mask'
      ? '✓ Masked old tool output'
      : rung === 'squeeze'
        ? '✓ Shortened what was too large'
        : `✓ Compacted ${messagesRemoved} messages`,
    `  Tokens: ${tokensBefore} → ${tokensAfter} (saved ${tokensBefore - tokensAfter})`,
  ]
}
