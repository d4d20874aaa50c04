import { type Anchor, type Fixed, knownName, type Message, type ModelInfo, type View } from '../model/types.ts'
import { charactersByFour, type Estimator, messagesTokens, sumOfFixed } from './estimate/estimator.ts'
import {
  certainTokens,
  type FixedSizes,
  hiddenTokens,
  judgeOf,
  measureFixed,
  type Sizes,
  sizesOf,
  tokensBetween,
} from './sizes.ts'

export type Level = 'normal' | 'warning' | 'critical' | 'unknown'

/** How full the context is. Without a known window there is no percentage and the level is unknown. */
export type Status = {
  readonly tokens: number
  readonly window?: number
  /** It has two decimals. */
  readonly percent?: number
  readonly known: boolean
  /** `provider`: the provider's last count, plus an estimate of the messages after it. `estimate`: everything is estimated. */
  readonly source: 'provider' | 'estimate'
  readonly level: Level
  /** The provider's last count, if it cannot be right for the request that was sent. The estimate is used instead. */
  readonly doubted?: number
}

export type StatusInput = {
  readonly view: View
  /** The model of the next request. Its window is 100 percent. */
  readonly model?: Partial<ModelInfo>
  readonly fixed?: Fixed
  /** Input that is not in the log yet. */
  readonly pending?: readonly Message[]
  readonly estimator?: Estimator
}

/** How full the context is. It reads every message: to ask repeatedly, keep the sizes and use `statusBy`. */
export function status({ view, model, fixed = {}, pending = [], estimator = charactersByFour }: StatusInput): Status {
  const sizes = sizesOf(view.items, estimator)
  return statusBy({
    view,
    model,
    sizes,
    fixed: measureFixed(fixed, estimator),
    pendingTokens: messagesTokens(pending, estimator),
  })
}

/** A counted view, and the other parts of the request. */
export type SizedView = {
  readonly view: View
  readonly sizes: Sizes
  readonly fixed: FixedSizes
  readonly model?: Partial<ModelInfo>
  readonly pendingTokens?: number
}

/** How full the context is, from known sizes. The status bar, the trigger and every API use this function. */
export function statusBy(input: SizedView): Status {
  const { view, sizes, fixed, model, pendingTokens = 0 } = input
  const reported = isOfModel(view.anchor, model) ? view.anchor : undefined
  const isDoubted = reported !== undefined && !isPossible(reported, input)
  const anchor = isDoubted ? undefined : reported
  const base = anchor?.tokens ?? (sumOfFixed(fixed.own) || (view.unseenTokens ?? 0))
  const after = tokensBetween(sizes, anchor?.items ?? 0, view.items.length)
  const hidden = anchor === undefined ? hiddenTokens(sizes, view.items.length) : 0
  const estimated = base + after - hidden + pendingTokens
  const tokens = isOfModel(view.drift, model) ? Math.round(estimated * (view.drift?.factor ?? 1)) : estimated
  return {
    ...gauge(tokens, model?.contextWindow),
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
function isOfModel(counted: { readonly model?: string } | undefined, model: Partial<ModelInfo> = {}): boolean {
  const asked = knownName(model)
  return counted?.model === undefined || asked === undefined || counted.model === asked
}

/** Providers write tool schemas in a shorter form than the JSON that we count. */
const LEAST_OF_TOOLS = 0.5

/** Compares a report with our own count of the request, and with the report before it. */
function isPossible({ items, tokens, input, before }: Anchor, { sizes, fixed, model }: SizedView): boolean {
  const judge = judgeOf(sizes)
  const { tools, ...texts } = fixed.judge
  const text = texts.system + texts.instructions + texts.memory
  const hidden = hiddenTokens(judge, items)
  const seen = {
    least: text + tools * LEAST_OF_TOOLS + Math.max(0, certainTokens(judge, 0, items) - hidden),
    all: text + tools + tokensBetween(judge, 0, items),
    window: model?.contextWindow,
  }
  if (!isPossibleCount(tokens, seen)) return false
  // The answer that comes with a report is sent with the next request. The provider's own compaction removes messages.
  return (
    before === undefined ||
    hidden > hiddenTokens(judge, before.items) ||
    isPossibleGrowth(input - before.input, certainTokens(judge, before.items - 1, items - 1))
  )
}

/** The sizes that a provider's count is compared with. */
type SeenTokens = {
  /** Our estimate of the text that the provider must have counted. */
  readonly least: number
  /** Our estimate of everything that we know about the request. */
  readonly all: number
  readonly window?: number
}

/** In recorded sessions, providers that count honestly went down to 0.8 of our estimate. */
export const LEAST_SHARE = 0.7
/** Smaller requests prove nothing, and no window is small enough for them to exceed it. */
const LEAST_TOKENS = 3_000
/** Images, hidden prompts and the provider's own tools make a count larger than everything we see, but not by this much. */
const MOST_FACTOR = 4
const MOST_HIDDEN = 50_000
/** A request that was answered did fit the window. A count above it is wrong, unless the window that we know is wrong. */
const MOST_FACTOR_OVER_WINDOW = 2

/** False for a count that cannot be right: the text alone has more tokens, or the request has far fewer. */
export function isPossibleCount(
  reported: number,
  { least, all, window = Number.POSITIVE_INFINITY }: SeenTokens,
): boolean {
  if (least >= LEAST_TOKENS && reported < least * LEAST_SHARE) return false
  if (reported > all * MOST_FACTOR + MOST_HIDDEN) return false
  return reported <= window || reported <= all * MOST_FACTOR_OVER_WINDOW
}

/** A shorter text may cost almost nothing. */
const LEAST_GROWTH = 100

/** False if a count has grown by much less than the text that was added. */
export function isPossibleGrowth(reported: number, seen: number): boolean {
  return seen < LEAST_GROWTH || reported >= seen * LEAST_SHARE_OF_GROWTH
}

/** Providers send calls and results in other words than ours, which matters more in a small part of a request. */
const LEAST_SHARE_OF_GROWTH = 0.5
