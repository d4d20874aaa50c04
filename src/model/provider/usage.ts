import type { z } from 'zod'
import type { usageSchema } from './usage-schema.ts'

/** The token counts that a provider reported for one call. `inputTokens` includes cache reads and writes, `outputTokens` reasoning. */
export type Usage = z.infer<typeof usageSchema>

/** The usage of several calls together. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: sum(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: sum(a.cacheWriteTokens, b.cacheWriteTokens),
    cacheWriteHourTokens: sum(a.cacheWriteHourTokens, b.cacheWriteHourTokens),
    reasoningTokens: sum(a.reasoningTokens, b.reasoningTokens),
  }
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}
