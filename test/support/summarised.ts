import type { CompactNowResult } from '../../src/agent/agent.ts'
import type { CompactedResult } from '../../src/model/compact-result.ts'

/** The result of a compaction that has replaced a span with a summary; everything else fails the test. */
export function summarised(result: CompactNowResult): CompactedResult & { summary: string; cut: number } {
  if (!result.compacted) throw new Error(`nothing was compacted: ${result.reason}`)
  const { summary, cut } = result
  if (summary === undefined || cut === undefined) throw new Error(`nothing was summarised, it was a ${result.rung}`)
  return { ...result, summary, cut }
}
