import type { Usage } from '../../model/provider/model-info.ts'
import { field } from '../failure/error-facts.ts'
import type { SdkStreamPart } from '../provider/language-model.ts'

type Finish = Extract<SdkStreamPart, { type: 'finish' }>

/** The provider's count. Undefined where it reports none: a request of 0 input tokens does not exist. */
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

/** What Anthropic wrote into its cache of an hour, which has a price of its own. */
function hourTokens(raw: unknown): number | undefined {
  const tokens = field(field(raw, 'cache_creation'), 'ephemeral_1h_input_tokens')
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined
}
