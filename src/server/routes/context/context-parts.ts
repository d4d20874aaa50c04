import type { WireParts } from '../../../contract/shapes.ts'
import { itemParts } from '../../../engine/report/context-parts.ts'
import { scaled } from '../../../engine/report/scaled.ts'
import type { Fixed } from '../../../model/fixed.ts'
import type { Item } from '../../../model/view.ts'
import { type Estimator, fixedTokens } from '../../../tokens/estimate/estimate.ts'

/** The parts before any message. */
export function fixedSizes(fixed: Fixed, estimator: Estimator): WireParts {
  const none = { summary: 0, index: 0, user: 0, assistant: 0, tool_results: 0, reasoning: 0 }
  return { ...fixedTokens(fixed, estimator), ...none }
}

/** Adds what an item of the view takes. */
export function addItem(parts: WireParts, item: Item, estimator: Estimator): void {
  for (const { name, tokens } of itemParts(item, estimator)) {
    if (name === 'tool results') parts.tool_results += tokens
    else if (name !== 'hidden') parts[name] += tokens
  }
}

const NAMES = [
  'system',
  'tools',
  'instructions',
  'memory',
  'summary',
  'index',
  'user',
  'assistant',
  'tool_results',
  'reasoning',
] as const satisfies readonly (keyof WireParts)[]

/** The parts scaled so that together they are exactly `total`: what the provider counted, shared out by the estimate. */
export function scaledTo(parts: WireParts, total: number): WireParts {
  const shares = scaled(
    NAMES.map((name) => parts[name]),
    total,
  )
  return Object.fromEntries(NAMES.map((name, i) => [name, shares[i] ?? 0])) as WireParts
}
