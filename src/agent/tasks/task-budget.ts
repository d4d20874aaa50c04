import { count, counted, dollars } from '../../engine/report/numbers.ts'
import type { Entry, Prices, Usage } from '../../model/types.ts'
import { costOf } from '../../tokens/cost.ts'

/** The most that one sub-agent may use. */
export type TaskLimits = {
  readonly steps: number
  /** The tokens of all its requests and answers. */
  readonly tokens: number
  /** In US dollars, if the price of its model is known. */
  readonly cost: number
}

/** The use of a sub-agent so far. */
export type TaskUse = { readonly tokens: number; readonly cost: number }

export const NOTHING_USED: TaskUse = { tokens: 0, cost: 0 }

/** The provider's count in an entry, if it has one. */
export function paidUsage(entry: Entry): Usage | undefined {
  return 'usage' in entry ? entry.usage : undefined
}

export function afterCall({ tokens, cost }: TaskUse, usage: Usage, prices: Prices | undefined): TaskUse {
  return {
    tokens: tokens + usage.inputTokens + usage.outputTokens,
    cost: cost + (prices === undefined ? 0 : costOf(usage, prices)),
  }
}

/** Why a sub-agent has to end, as a clause; undefined while it is within its limits. */
export function overLimit({ tokens, cost }: TaskUse, limits: TaskLimits): string | undefined {
  if (tokens > limits.tokens) return `it used ${count(tokens)} tokens, more than its limit (task_tokens)`
  if (cost > limits.cost) return `it cost ${dollars(cost)}, more than its limit (task_cost)`
  return undefined
}

/** The same for the steps, which the turn itself counts. */
export function stepsText({ steps }: TaskLimits): string {
  return `it took ${counted(steps, 'step')}, as many as it may (task_steps)`
}
