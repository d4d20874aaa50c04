import type { Prices, Usage } from '../model/types.ts'

/** Anthropic's price for a cache of an hour, as a multiple of the price of input. */
const HOUR_FACTOR = 2

/**
 * The cost of one call in US dollars. Prices depend on the length of the prompt, so add up costs and not usages.
 * Cached tokens without a price of their own cost the same as other input.
 */
export function costOf(usage: Usage, { long, ...short }: Prices): number {
  const prices = long !== undefined && usage.inputTokens > long.above ? long : short
  const read = usage.cacheReadTokens ?? 0
  const write = usage.cacheWriteTokens ?? 0
  const hour = Math.min(write, usage.cacheWriteHourTokens ?? 0)
  const plain = Math.max(0, usage.inputTokens - read - write)
  const millionths =
    plain * prices.input +
    read * (prices.cacheRead ?? prices.input) +
    (write - hour) * (prices.cacheWrite ?? prices.input) +
    hour * (prices.cacheWrite === undefined ? prices.input : HOUR_FACTOR * prices.input) +
    usage.outputTokens * prices.output
  return millionths / 1_000_000
}

/**
 * The cost of a compaction, or of an attempt at one, in any of its forms; undefined if it is not known. One that asked no model cost nothing. The file of another agent does
 * not have the cost of its compactions.
 */
export function compactionCost({ rung, usage, cost }: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof cost === 'number') return cost
  return rung === 'warm' || rung === 'cold' || usage !== undefined ? undefined : 0
}
