import type { LanguageModelUsage } from 'ai'
import type { Usage } from '../../../model/types.ts'

/** The provider's count of a step, as the AI SDK reports it; undefined when a count is missing. */
export function usageOfStep(usage: LanguageModelUsage | undefined): Usage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage ?? {}
  if (inputTokens === undefined || inputTokens === 0 || outputTokens === undefined) return undefined
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails ?? {}
  const { reasoningTokens } = outputTokenDetails ?? {}
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens ? { cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
    ...(reasoningTokens ? { reasoningTokens } : {}),
  }
}
