import { type Anchor, type Fixed, knownName, type Message, type ModelInfo, type View } from '../model/types.ts'
import { certainTokensOf, charactersByFour, type Estimator, messagesTokens, sumOfFixed } from './estimate/estimator.ts'
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
  /** Set if the window is not known, but assumed. */
  readonly assumed?: true
  /** It has two decimals. */
  readonly percent?: number
  readonly known: boolean
  /** `provider`: the provider's last count, plus an estimate of the messages after it. `estimate`: everything is estimated. */
  readonly source: 'provider' | 'estimate'
  readonly level: Level
  /** The provider's last count, if it cannot be right for the request that was sent. The estimate is used instead. */
  readonly doubted?: number
  /** The model that the provider's last count is of, if that is another one. The estimate is used instead. */
  readonly countedFor?: string
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
  return statusOfSums(sumsOf(input), input)
}

/** The sums of a view that decide how full the context is. They can be kept and extended without the view. */
export type SizeSums = Pick<View, 'anchor' | 'drift' | 'unseenTokens'> & {
  /** The tokens of all items. */
  readonly total: number
  /** Those of the items that the provider counted. */
  readonly anchored: number
  /** Those that the provider no longer reads. */
  readonly hidden: number
  /** The text of the items that the provider counted, by the estimator that judges reports, or by its characters. */
  readonly judged: number
}

function sumsOf({ view, sizes }: SizedView): SizeSums {
  const { anchor, drift, unseenTokens, items } = view
  const anchored = anchor?.items ?? 0
  return {
    anchor,
    drift,
    unseenTokens,
    total: tokensBetween(sizes, 0, items.length),
    anchored: tokensBetween(sizes, 0, anchored),
    hidden: hiddenTokens(sizes, items.length),
    judged: anchor === undefined ? 0 : judgedTokens(view, judgeOf(sizes), anchor),
  }
}

/**
 * The estimate may be far too high for text that is not language, such as the signs of broken characters. So it refutes a
 * report only if the number of characters does, too.
 */
function judgedTokens({ items }: View, judge: Sizes, { items: anchored, tokens }: Anchor): number {
  const judged = Math.max(0, certainTokens(judge, 0, anchored) - hiddenTokens(judge, anchored))
  if (tokens >= judged * LEAST_SHARE) return judged
  const read = items.slice(items.hidden(anchored), anchored)
  return Math.min(
    judged,
    read.reduce((sum, { message }) => sum + certainTokensOf(message, charactersByFour), 0),
  )
}

type BesideView = Pick<SizedView, 'model' | 'pendingTokens'> & {
  readonly fixed: Pick<FixedSizes, 'own' | 'judge' | 'isPartial'>
}

/** The same from the sums of a view. */
export function statusOfSums(sums: SizeSums, beside: BesideView): Status {
  const { model, pendingTokens = 0 } = beside
  const reported = isOfModel(sums.anchor, model) ? sums.anchor : undefined
  const isDoubted = reported !== undefined && !isPossible(reported, sums, beside)
  const anchor = isDoubted ? undefined : reported
  const tokens =
    anchor === undefined
      ? Math.round(estimatedBeside(sums, beside) + (sums.total - sums.hidden + pendingTokens) * factorOf(sums, model))
      : anchor.tokens + sums.total - sums.anchored + pendingTokens
  return {
    ...gauge(tokens, model?.contextWindow),
    ...(model?.windowAssumed === true ? { assumed: true as const } : {}),
    source: anchor === undefined ? 'estimate' : 'provider',
    ...(isDoubted ? { doubted: reported.tokens } : {}),
    ...(reported === undefined && sums.anchor?.model !== undefined ? { countedFor: sums.anchor.model } : {}),
  }
}

function factorOf({ drift }: Pick<View, 'drift'>, model: Partial<ModelInfo> | undefined): number {
  return isOfModel(drift, model) ? (drift?.factor ?? 1) : 1
}

/** The tokens that no message has, if no provider has counted the view: those counted before the last reduction stay the same. */
function estimatedBeside(view: Pick<View, 'drift' | 'unseenTokens'>, { fixed, model }: BesideView): number {
  const { drift, unseenTokens = 0 } = view
  const own = sumOfFixed(fixed.own)
  if (fixed.isPartial && drift?.beside !== undefined && isOfModel(drift, model)) return drift.beside
  return (own || unseenTokens) * factorOf(view, model)
}

/**
 * The tokens of a status that no message has: the prompt and the tools. `around`: those of the session's first request. If
 * the prompt and the tools are not all known here, they explain what the messages do not.
 */
export function besideTokens(
  input: SizedView & { readonly around: number | undefined },
  { tokens, source }: Pick<Status, 'tokens' | 'source'>,
): number {
  const { view, sizes, fixed, pendingTokens = 0, around } = input
  if (source === 'estimate') return estimatedBeside(view, input)
  const own = sumOfFixed(fixed.own)
  const { length } = view.items
  const messages = tokensBetween(sizes, 0, length) - hiddenTokens(sizes, length) + pendingTokens
  if (!fixed.isPartial || tokens <= own) return (own * tokens) / Math.max(1, own + messages)
  return Math.max(own, unexplainedTokens(tokens, messages, around))
}

/** The tokens of a provider's count that our estimate of the messages does not explain. `around`: those of the session's first request. */
export function unexplainedTokens(counted: number, messages: number, around: number | undefined): number {
  const least = counted - Math.round(messages * MOST_OF_MESSAGES)
  const most = counted - messages * LEAST_SHARE
  return Math.max(0, Math.min(Math.max(around ?? counted - messages, least), most))
}

/** Providers count up to a quarter more for messages than we do. If they count more than that, there is something that we do not see. */
const MOST_OF_MESSAGES = 1.25

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

/** Compares a report with our own count of the same request. */
function isPossible({ tokens, isReduced }: Anchor, { judged }: SizeSums, { fixed, model }: BesideView): boolean {
  const window = model?.windowAssumed === true ? undefined : model?.contextWindow
  const estimated = sumOfFixed(fixed.judge) + judged
  return isReduced ? isAnswerable(tokens, estimated, window) : isPossibleCount(tokens, estimated, window)
}

/**
 * Agents send less than their log has (they shorten old results, for example), and providers count differently. A count
 * below this share of our estimate is neither: servers that report only what was not cached count like that.
 */
const LEAST_SHARE = 1 / 4
/** A request that was answered did fit the window. The window that we know may be too small, but not by this much. */
const MOST_WINDOWS = 2

/**
 * False for a count that cannot be right: our estimate of the request is four times as much, or the count is more than any
 * window could hold.
 */
export function isPossibleCount(reported: number, estimated: number, window?: number): boolean {
  return reported >= estimated * LEAST_SHARE && isAnswerable(reported, estimated, window)
}

/**
 * The window that we know may be the one of a model that was chosen since, and the one before had more. So a count is
 * too large only if it is also far more than the messages themselves.
 */
function isAnswerable(reported: number, estimated: number, window = Number.POSITIVE_INFINITY): boolean {
  return reported <= Math.max(window, estimated) * MOST_WINDOWS
}
