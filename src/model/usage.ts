import { z } from 'zod'

/** What a provider reported for one model call. `inputTokens` includes cache reads and writes, `outputTokens` includes reasoning. */
export type Usage = z.infer<typeof usageSchema>
export const usageSchema = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
})

/** The usage of several calls together. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sumOf('cacheReadTokens', a, b),
    ...sumOf('cacheWriteTokens', a, b),
    ...sumOf('reasoningTokens', a, b),
  }
}

type OptionalCount = 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens'

function sumOf(key: OptionalCount, a: Usage, b: Usage): Partial<Usage> {
  if (a[key] === undefined && b[key] === undefined) return {}
  return { [key]: (a[key] ?? 0) + (b[key] ?? 0) }
}
