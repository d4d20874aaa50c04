import { addUsage, type Prices, type Usage } from '../../../model/types.ts'
import { costOf } from '../../../tokens/cost.ts'

/** The usage and cost of a compaction's model calls, including failed ones. The cost is in US dollars, or unknown. */
export type Expense = { readonly usage?: Usage; readonly cost?: number }

/** The expense after one more call. If the price of one call is unknown, the total is unknown. */
export function addExpense(spent: Expense, usage: Usage | undefined, prices: Prices | undefined): Expense {
  if (usage === undefined) return spent
  const known = prices !== undefined && (spent.usage === undefined || spent.cost !== undefined)
  return { usage: addUsage(spent.usage, usage), cost: known ? (spent.cost ?? 0) + costOf(usage, prices) : undefined }
}
