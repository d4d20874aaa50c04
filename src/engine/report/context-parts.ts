import type { Fixed } from '../../model/fixed.ts'
import { partsOf } from '../../model/message/message.ts'
import type { Item, View } from '../../model/view.ts'
import { type Estimator, fixedTokens, messageTokens } from '../../tokens/estimate/estimator.ts'
import { CONTEXT_PARTS, type ContextPartName } from './part-names.ts'
import { scaled } from './scaled.ts'

export type ContextPart = { readonly name: ContextPartName; readonly tokens: number }

export type ContextPartsInput = {
  readonly view: View
  readonly estimator: Estimator
  /** How full the context is: what `status()` says. The parts add up to it. */
  readonly tokens: number
  /** What is sent around the view. Where it is not known whole, what the provider counted beyond the view is `hidden`. */
  readonly fixed?: Fixed
  readonly isFixedKnown: boolean
}

/** What fills the window, by kind. The shares are estimated; together they are the tokens of the status. */
export function contextParts({ view, estimator, tokens, fixed = {}, isFixedKnown }: ContextPartsInput): ContextPart[] {
  const sizes = fixedSizes(fixed, estimator)
  for (const item of view.items) addItem(sizes, item, estimator)
  return partsWithin(sizes, tokens, isFixedKnown)
}

/** Estimated tokens by kind. */
export type PartSizes = Record<ContextPartName, number>

/** The sizes before any message. */
export function fixedSizes(fixed: Fixed, estimator: Estimator): PartSizes {
  return { ...NOTHING, ...fixedTokens(fixed, estimator) }
}

const NOTHING = Object.fromEntries(CONTEXT_PARTS.map((name) => [name, 0])) as PartSizes

/** Adds what an item of the view takes. */
export function addItem(sizes: PartSizes, item: Item, estimator: Estimator): void {
  for (const { name, tokens } of itemParts(item, estimator)) sizes[name] += tokens
}

/** The sizes as parts that together are exactly `total`: what the provider counted, shared out by the estimate. */
export function partsWithin(sizes: PartSizes, total: number, isFixedKnown = true): ContextPart[] {
  const seen = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  const hidden = isFixedKnown ? sizes.hidden : Math.max(0, total - seen)
  const shares = scaled(
    CONTEXT_PARTS.map((name) => (name === 'hidden' ? hidden : sizes[name])),
    total,
  )
  return CONTEXT_PARTS.map((name, i) => ({ name, tokens: shares[i] ?? 0 }))
}

function itemParts(item: Item, estimator: Estimator): ContextPart[] {
  const { message } = item
  const whole = messageTokens(message, estimator)
  if (item.kind === 'summary') {
    const narrative = Math.min(whole, estimator.text(item.text))
    return [
      { name: 'summary', tokens: narrative },
      { name: 'index', tokens: whole - narrative },
    ]
  }
  if (message.role !== 'assistant') return [{ name: ROLES[message.role], tokens: whole }]
  const thought = partsOf(message).reduce(
    (sum, part) => sum + (part.type === 'reasoning' ? estimator.text(part.text) : 0),
    0,
  )
  return [
    { name: 'reasoning', tokens: thought },
    { name: 'assistant', tokens: whole - thought },
  ]
}

const ROLES = { user: 'user', tool: 'tool_results', system: 'system' } as const
