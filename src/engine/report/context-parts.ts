import type { Fixed } from '../../model/fixed.ts'
import { partsOf } from '../../model/message.ts'
import type { Item, View } from '../../model/view.ts'
import { type Estimator, fixedTokens, messageTokens } from '../../tokens/estimate/estimate.ts'
import { scaled } from './scaled.ts'

/** The kinds of things that fill a window, in the order in which they are drawn. */
export const CONTEXT_PARTS = [
  'system',
  'tools',
  'instructions',
  'memory',
  /** Counted by the provider, but not in the log: the system prompt and the tools of another agent. */
  'hidden',
  'summary',
  'index',
  'user',
  'assistant',
  'tool results',
  'reasoning',
] as const
export type ContextPartName = (typeof CONTEXT_PARTS)[number]

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
  const sizes = { ...NOTHING, ...fixedTokens(fixed, estimator) }
  for (const item of view.items) {
    for (const { name, tokens } of itemParts(item, estimator)) sizes[name] += tokens
  }
  const seen = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  if (!isFixedKnown) sizes.hidden = Math.max(0, tokens - seen)
  const shares = scaled(
    CONTEXT_PARTS.map((name) => sizes[name]),
    tokens,
  )
  return CONTEXT_PARTS.map((name, i) => ({ name, tokens: shares[i] ?? 0 }))
}

type Sizes = Record<ContextPartName, number>

const NOTHING = Object.fromEntries(CONTEXT_PARTS.map((name) => [name, 0])) as Sizes

/** What an item of the view takes, by kind. */
export function itemParts(item: Item, estimator: Estimator): ContextPart[] {
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

const ROLES = { user: 'user', tool: 'tool results', system: 'system' } as const
