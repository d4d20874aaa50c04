import { addUsage, type Entry, type Prices, type Usage } from '../../model/types.ts'
import { costOf } from '../../tokens/cost.ts'

/** The usage and cost of the calls to one model. The cost is absent without prices. */
export type ModelSpending = {
  readonly model?: string
  readonly calls: number
  readonly usage: Usage
  readonly cost?: number
}

/** The usage of all answers and summaries of a log, by model in the order of first use. */
export function spendingOf(
  log: readonly Entry[],
  pricesOf: (model: string | undefined) => Prices | undefined,
): ModelSpending[] {
  const models = new Map<string | undefined, ModelSpending>()
  for (const entry of log) {
    if (!('usage' in entry)) continue
    const { model, usage } = entry
    if (usage === undefined || usage.inputTokens + usage.outputTokens === 0) continue
    const before = models.get(model)
    const sum = addUsage(before?.usage, usage) ?? usage
    const prices = pricesOf(model)
    models.set(model, {
      model,
      calls: (before?.calls ?? 0) + 1,
      usage: sum,
      cost: prices && (before?.cost ?? 0) + costOf(usage, prices),
    })
  }
  return [...models.values()]
}

/** The share of the input that was read from the provider's cache, between 0 and 1; undefined if no call reports it. */
export function cacheShare(spending: readonly ModelSpending[]): number | undefined {
  const reporting = spending.filter(({ usage }) => usage.cacheReadTokens !== undefined)
  const input = reporting.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
  const read = reporting.reduce((sum, { usage }) => sum + (usage.cacheReadTokens ?? 0), 0)
  return input === 0 ? undefined : read / input
}
