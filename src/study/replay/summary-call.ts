import { serialize } from '../../engine/record/serialize.ts'
import type { Policy } from '../../model/policy/policy.ts'
import type { Usage } from '../../model/provider/usage.ts'
import type { Item } from '../../model/view.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'

/** The length of a model's summary: the median of those that Claude Code recorded has 12,775 characters. */
const SUMMARY_TOKENS = 3_200

/** The instructions of a summarising request. */
export const PROMPT_TOKENS = 700

export type SummaryCallInput = {
  readonly policy: Policy
  /** The items that the summary is written from. */
  readonly items: readonly Item[]
  /** The whole context, and what of it the provider has cached: for a summary behind the last request. */
  readonly contextTokens: number
  readonly cachedTokens: number
  /** The most that the policy gives a summary. */
  readonly summaryTokens: number
  readonly estimator: Estimator
}

/** The usage of a summarising call: behind the cached request where the policy can, else with the span as text. */
export function summaryCall(input: SummaryCallInput): Usage {
  const { policy, items, contextTokens, cachedTokens, summaryTokens, estimator } = input
  const outputTokens = Math.min(summaryTokens, SUMMARY_TOKENS)
  if (policy.rungs.includes('warm') && cachedTokens > 0) {
    const inputTokens = contextTokens + PROMPT_TOKENS
    const cacheReadTokens = Math.min(cachedTokens, contextTokens)
    return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens }
  }
  const { cutCharacters } = policy
  const span = items.reduce((sum, item) => sum + estimator.text(serialize(item.message, { cutCharacters })), 0)
  return { inputTokens: span + PROMPT_TOKENS, outputTokens }
}
