import { serialize } from '../../engine/record/serialize.ts'
import type { Policy, Rung } from '../../model/policy/policy.ts'
import type { Item, Seq, Usage } from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'

/** The length of a model's summary: the median of those that Claude Code recorded has 12,775 characters. */
const SUMMARY_TOKENS = 3_200

/** The instructions of a summarising request. */
export const PROMPT_TOKENS = 700

export type SummaryCallInput = {
  readonly policy: Policy
  /** The items that the summary is written from. */
  readonly items: readonly Item[]
  /** The tokens of the whole context, and those that the provider has cached: for a summary after the last request. */
  readonly contextTokens: number
  readonly cachedTokens: number
  /** The most tokens that the policy allows for a summary. */
  readonly summaryTokens: number
  readonly estimator: Estimator
}

/** The usage of a summarising call: after the cached request if the policy allows it, otherwise with the span as text. */
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

/** One replayed request. `input` includes the tokens that were read from the cache and written to it. */
export type ReplayedRequest = {
  /** The answer's entry in the log that is replayed. */
  readonly seq: Seq
  readonly at: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** In US dollars; absent if the prices are not known. */
  readonly cost?: number
  /** Why the provider's cache had nothing, or less than the previous request. */
  readonly lost?: 'expired' | 'broken'
  /** The compaction right before the request. */
  readonly compacted?: ReplayedCompaction
}

/** The compaction of a replay before a request, and its cost. */
export type ReplayedCompaction = {
  readonly rung: Rung
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The summarising call; absent for a rung that asks no model. */
  readonly call?: Usage
  readonly cost?: number
}
