import type { z } from '@hono/zod-openapi'
import type { Fixed } from '../model/fixed.ts'
import { partsOf } from '../model/message.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, fixedTokens, messageTokens } from '../tokens/estimate.ts'
import type { partsSchema } from './contract/shapes.ts'

/** Tokens by kind, as they go over HTTP. */
export type Parts = z.infer<typeof partsSchema>

/** The parts before any message. */
export function fixedSizes(fixed: Fixed, estimator: Estimator): Parts {
  const none = { summary: 0, index: 0, user: 0, assistant: 0, tool_results: 0, reasoning: 0 }
  return { ...fixedTokens(fixed, estimator), ...none }
}

/** Adds what an item of the view takes. */
export function addItem(parts: Parts, item: Item, estimator: Estimator): void {
  const { message } = item
  const whole = messageTokens(message, estimator)
  if (item.kind === 'summary') {
    const narrative = Math.min(whole, estimator.text(item.text))
    parts.summary += narrative
    parts.index += whole - narrative
  } else if (message.role === 'tool') parts.tool_results += whole
  else if (message.role !== 'assistant') parts.user += whole
  else {
    const thought = partsOf(message).reduce(
      (sum, part) => sum + (part.type === 'reasoning' ? estimator.text(part.text) : 0),
      0,
    )
    parts.reasoning += thought
    parts.assistant += whole - thought
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
] as const satisfies readonly (keyof Parts)[]

/** The parts scaled so that together they are exactly `total`: what the provider counted, shared out by the estimate. */
export function scaledTo(parts: Parts, total: number): Parts {
  const sum = NAMES.reduce((all, name) => all + parts[name], 0)
  let upTo = 0
  let given = 0
  const shares = NAMES.map((name) => {
    upTo += parts[name]
    // Rounded sums, not rounded shares: the last one ends at the total.
    const end = sum === 0 ? 0 : Math.round((upTo * total) / sum)
    const share = end - given
    given = end
    return [name, share] as const
  })
  return Object.fromEntries(shares) as Parts
}
