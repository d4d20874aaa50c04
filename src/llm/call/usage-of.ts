import type { Usage } from '../../model/types.ts'
import { field } from '../failure/error-facts.ts'
import type { SdkStreamPart } from '../provider/language-model.ts'

type Finish = Extract<SdkStreamPart, { type: 'finish' }>

/** The provider's count. Undefined if it reports none. 0 input tokens count as none, because there is no such request. */
export function usageOf({ usage: { inputTokens, outputTokens, raw } }: Finish): Usage | undefined {
  if (inputTokens.total === undefined || inputTokens.total === 0 || outputTokens.total === undefined) return undefined
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead || undefined,
    cacheWriteTokens: inputTokens.cacheWrite || undefined,
    cacheWriteHourTokens: hourTokens(raw),
    reasoningTokens: outputTokens.reasoning || undefined,
  }
}

/** The tokens that Anthropic wrote into its one-hour cache, which has its own price. */
function hourTokens(raw: unknown): number | undefined {
  const tokens = field(field(raw, 'cache_creation'), 'ephemeral_1h_input_tokens')
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined
}
