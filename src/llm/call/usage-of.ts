import type { Usage } from '../../model/usage.ts'
import type { SdkStreamPart } from '../provider/language-model.ts'

type Finish = Extract<SdkStreamPart, { type: 'finish' }>

/** The provider's count. Undefined where it reports none: a request of 0 input tokens does not exist. */
export function usageOf({ usage: { inputTokens, outputTokens } }: Finish): Usage | undefined {
  if (inputTokens.total === undefined || inputTokens.total === 0 || outputTokens.total === undefined) return undefined
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead || undefined,
    cacheWriteTokens: inputTokens.cacheWrite || undefined,
    reasoningTokens: outputTokens.reasoning || undefined,
  }
}
