import type { LanguageModelUsage } from 'ai'
import type { Usage } from '../../model/usage.ts'

/** What a provider counted, as the AI SDK tells it of a step. A count that it did not say is not known. */
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
