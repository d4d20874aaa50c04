import type { Usage } from '../../model/usage.ts'
import type { StreamPart } from '../language-model.ts'

type Finish = Extract<StreamPart, { type: 'finish' }>

/** What the provider counted. A count that it did not say is not known, and no request has no input. */
export function usageOf({ usage: { inputTokens, outputTokens } }: Finish): Usage | undefined {
  if (inputTokens.total === undefined || inputTokens.total === 0 || outputTokens.total === undefined) return undefined
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(inputTokens.cacheRead ? { cacheReadTokens: inputTokens.cacheRead } : {}),
    ...(inputTokens.cacheWrite ? { cacheWriteTokens: inputTokens.cacheWrite } : {}),
    ...(outputTokens.reasoning ? { reasoningTokens: outputTokens.reasoning } : {}),
  }
}
