import type { Fixed } from '../model/fixed.ts'
import type { Message } from '../model/message/message.ts'
import { knownName, type ModelInfo } from '../model/provider/model-info.ts'
import type { Anchor, View } from '../model/view.ts'
import { certainTokens, itemTokens, messagesTokens } from './count.ts'
import { charactersByFour, type Estimator, fixedTokens, fixedTotal } from './estimate/estimator.ts'
import { hiddenTokens } from './hidden.ts'
import { isPossibleCount, isPossibleGrowth } from './possible-count.ts'

export type Level = 'normal' | 'warning' | 'critical' | 'unknown'

/** How full the context is. Without a known window there is no percentage and the level is unknown. */
export type Status = {
  readonly tokens: number
  readonly window?: number
  /** It has two decimals. */
  readonly percent?: number
  readonly known: boolean
  /** `provider`: the provider's last count, and an estimate of what came after it. `estimate`: all is estimated. */
  readonly source: 'provider' | 'estimate'
  readonly level: Level
  /** The provider's last count, if it cannot be one of what was sent: the estimate stands in its place. */
  readonly doubted?: number
}

export type StatusInput = {
  readonly view: View
  /** The model that the next request goes to; its window is the whole. */
  readonly model?: Partial<ModelInfo>
  readonly fixed?: Fixed
  /** Input that is not in the log yet. */
  readonly pending?: readonly Message[]
  readonly estimator?: Estimator
}

/** How full the context is. The status bar, the trigger and every API use this function. */
export function status(input: StatusInput): Status {
  const { view, estimator = charactersByFour } = input
  const reported = isOfModel(view.anchor, input) ? view.anchor : undefined
  const isDoubted = reported !== undefined && !isPossible(reported, input)
  const anchor = isDoubted ? undefined : reported
  const base = anchor?.tokens ?? fixedTotal(input.fixed ?? {}, estimator)
  const after = itemTokens(view.items, anchor?.items ?? 0, view.items.length, estimator)
  const hidden = anchor === undefined ? hiddenTokens(view.items, view.items.length, estimator) : 0
  const estimated = base + after - hidden + messagesTokens(input.pending ?? [], estimator)
  const tokens = isOfModel(view.drift, input) ? Math.round(estimated * (view.drift?.factor ?? 1)) : estimated
  return {
    ...gauge(tokens, input.model?.contextWindow),
    source: anchor === undefined ? 'estimate' : 'provider',
    ...(isDoubted ? { doubted: reported.tokens } : {}),
  }
}

/** The percentage and its level: 1,000 of 2,000 is 50.00. */
export function gauge(tokens: number, window: number | undefined): Omit<Status, 'source'> {
  if (window === undefined || !(window > 0)) return { tokens, known: false, level: 'unknown' }
  const percent = Math.round((tokens * 10_000) / window) / 100
  return {
    tokens,
    window,
    percent,
    known: true,
    level: percent >= 90 ? 'critical' : percent >= 70 ? 'warning' : 'normal',
  }
}

/** False for a count of another model, which counts differently. */
function isOfModel(counted: { readonly model?: string } | undefined, { model }: StatusInput): boolean {
  const asked = knownName(model ?? {})
  return counted?.model === undefined || asked === undefined || counted.model === asked
}

/** Providers write tool schemas in a shorter form than the JSON that we count. */
const LEAST_OF_TOOLS = 0.5

/** Compares a report with our own count of what was sent, and with the report before it. */
function isPossible({ items, tokens, input, before }: Anchor, of: StatusInput): boolean {
  const { view, model, fixed = {}, estimator = charactersByFour } = of
  const judge = estimator.judge ?? estimator
  const { tools, ...texts } = fixedTokens(fixed, judge)
  const text = Object.values(texts).reduce((sum, part) => sum + part, 0)
  const hidden = hiddenTokens(view.items, items, judge)
  const seen = {
    least: text + tools * LEAST_OF_TOOLS + Math.max(0, certainTokens(view.items, 0, items, judge) - hidden),
    all: text + tools + itemTokens(view.items, 0, items, judge),
    window: model?.contextWindow,
  }
  if (!isPossibleCount(tokens, seen)) return false
  // The answer that comes with a report is sent with the next request. A compaction of the provider's own takes away.
  return (
    before === undefined ||
    hidden > hiddenTokens(view.items, before.items, judge) ||
    isPossibleGrowth(input - before.input, certainTokens(view.items, before.items - 1, items - 1, judge))
  )
}
