import { z } from 'zod'

/** The token counts that a provider reported for one call. `inputTokens` includes cache reads and writes, `outputTokens` reasoning. */
export type Usage = z.infer<typeof usageSchema>
export const usageSchema = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  /** Of the tokens written to the cache, those that it keeps for an hour: Anthropic charges more for them. */
  cacheWriteHourTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
})

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
