import { type Message, messagesOf, type Prices } from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { sizesOf } from '../../tokens/sizes.ts'
import { openPart } from '../context/view/fenced.ts'
import { appended, logOf } from '../context/view/log.ts'
import { viewOf } from '../context/view/view-of.ts'
import { cutByTurns } from './cut-by-turns.ts'
import { maskPlan } from './mask-plan.ts'

/** The options of `mask`. */
export type MaskOptions = {
  /** The number of tokens to free. */
  readonly needTokens: number
  /** The newest messages, up to this many tokens, are not masked. Default 20,000. */
  readonly keepTokens?: number
  /** Prices decide whether a batch saves more than the broken cache costs. Without them usual ratios are used. */
  readonly prices?: Prices
  readonly estimator?: Estimator
}

/** The messages with old tool output masked, or unchanged with the reason. */
export type MaskResult =
  | { readonly masked: true; readonly messages: Message[]; readonly results: number; readonly freedTokens: number }
  | { readonly masked: false; readonly messages: Message[]; readonly why: string }

/**
 * Replaces old and superseded tool output with handles (`#12`: the twelfth message), in one batch or not at all.
 *
 * @example
 * ```ts
 * import { mask } from 'pith'
 *
 * const result = mask(messages, { needTokens: 20_000 })
 * console.log(result.masked ? `${result.freedTokens} tokens freed` : result.why)
 * ```
 */
export function mask(messages: readonly Message[], options: MaskOptions): MaskResult {
  const { needTokens, keepTokens = 20_000, prices, estimator = featureEstimator } = options
  const log = logOf(messages)
  const view = openPart(viewOf(log))
  const sizes = sizesOf(view.items, estimator)
  const cut = cutByTurns(view, keepTokens, sizes)
  const plan = maskPlan({ view, cut, needTokens, prices, estimator, sizes })
  if (plan.kind === 'refused') return { masked: false, messages: [...messages], why: plan.reason }
  const { targets, gainTokens } = plan
  const entry = { type: 'mask' as const, targets: [...targets], tokensBefore: 0, tokensAfter: 0 }
  const shown = messagesOf(viewOf(appended(log, [entry])))
  return { masked: true, messages: shown, results: targets.length, freedTokens: gainTokens }
}
