import type { Prices } from '../model/model-info.ts'
import type { Usage } from '../model/usage.ts'

/**
 * What one call cost in US dollars: the prices depend on how long its prompt was, so usage is not added up before.
 * Without a price of their own, cached tokens cost what other input costs.
 */
export function costOf(usage: Usage, { long, ...short }: Prices): number {
  const prices = long !== undefined && usage.inputTokens > long.above ? long : short
  const read = usage.cacheReadTokens ?? 0
  const write = usage.cacheWriteTokens ?? 0
  const plain = Math.max(0, usage.inputTokens - read - write)
  const millionths =
    plain * prices.input +
    read * (prices.cacheRead ?? prices.input) +
    write * (prices.cacheWrite ?? prices.input) +
    usage.outputTokens * prices.output
  return millionths / 1_000_000
}
