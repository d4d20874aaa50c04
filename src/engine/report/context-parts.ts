import { type Item, partsOf } from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { tokensAt } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { CONTEXT_PARTS, type ContextPartName } from './part-names.ts'

export type ContextPart = { readonly name: ContextPartName; readonly tokens: number }

export type ContextPartsInput = {
  /** How full the context is, as in the status. The parts add up to it. */
  readonly tokens: number
  /** If the fixed parts are not completely known, the tokens that the provider counted beyond the view are `hidden`. */
  readonly isFixedKnown: boolean
}

/** The parts of the window by kind. The shares are estimated; together they are the tokens of the status. */
export function contextParts(context: CountedContext, { tokens, isFixedKnown }: ContextPartsInput): ContextPart[] {
  return partsWithin(partSizes(context), tokens, isFixedKnown)
}

type CountedContext = Pick<Context, 'sizes' | 'fixed'>

/** Estimated tokens by kind. */
export type PartSizes = Record<ContextPartName, number>

/** The sizes of all parts. */
export function partSizes(context: CountedContext): PartSizes {
  const { unseen: hidden = 0, ...fixed } = context.fixed.own
  const parts: PartSizes = { ...NOTHING, ...fixed, hidden }
  for (let index = 0; index < context.sizes.items.length; index++) addItem(parts, context, index)
  return parts
}

const NOTHING = Object.fromEntries(CONTEXT_PARTS.map((name) => [name, 0])) as PartSizes

/** Adds the tokens of one item of the view. */
export function addItem(parts: PartSizes, { sizes }: Pick<Context, 'sizes'>, index: number): void {
  const item = sizes.items.at(index)
  if (item === undefined) return
  for (const { name, tokens } of itemParts(item, tokensAt(sizes, index), sizes.estimator)) parts[name] += tokens
}

/** The sizes as parts that add up to exactly `total`: the provider's count, divided by the estimate. */
export function partsWithin(sizes: PartSizes, total: number, isFixedKnown = true): ContextPart[] {
  const seen = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  const hidden = isFixedKnown ? sizes.hidden : Math.max(0, total - seen)
  const shares = scaled(
    CONTEXT_PARTS.map((name) => (name === 'hidden' ? hidden : sizes[name])),
    total,
  )
  return CONTEXT_PARTS.map((name, i) => ({ name, tokens: shares[i] ?? 0 }))
}

function itemParts(item: Item, whole: number, estimator: Estimator): ContextPart[] {
  const { message } = item
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

/** Whole numbers in proportion to the sizes that add up to exactly `total`. */
export function scaled(sizes: readonly number[], total: number): number[] {
  const sum = sizes.reduce((all, size) => all + size, 0)
  if (sum === 0) return sizes.map((_, i) => (i === 0 ? total : 0))
  const exact = sizes.map((size) => (size * total) / sum)
  const whole = exact.map(Math.floor)
  const missing = total - whole.reduce((all, size) => all + size, 0)
  const byRest = exact.map((size, i) => ({ i, rest: size - Math.floor(size) })).toSorted((a, b) => b.rest - a.rest)
  for (const { i } of byRest.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1
  return whole
}
