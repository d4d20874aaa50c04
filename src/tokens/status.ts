import type { Fixed } from '../model/fixed.ts'
import type { Message } from '../model/message.ts'
import { type ModelInfo, modelName } from '../model/model-info.ts'
import type { View } from '../model/view.ts'
import { messagesTokens, tokensSince } from './count.ts'
import { charactersByFour, type Estimator, fixedTotal } from './estimate/estimator.ts'

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
  const anchor = anchorFor(input)
  const base = anchor?.tokens ?? (input.fixed === undefined ? 0 : fixedTotal(input.fixed, estimator))
  const after = tokensSince(view.items, anchor?.items ?? 0, estimator)
  const tokens = base + after + messagesTokens(input.pending ?? [], estimator)
  return { ...gauge(tokens, input.model?.contextWindow), source: anchor === undefined ? 'estimate' : 'provider' }
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

/** The provider's last count, unless it is of another model, which counts differently. */
function anchorFor({ view, model }: StatusInput): View['anchor'] {
  const counted = view.anchor?.model
  const asked =
    model?.provider !== undefined && model.model !== undefined
      ? modelName({ provider: model.provider, model: model.model })
      : undefined
  return counted !== undefined && asked !== undefined && counted !== asked ? undefined : view.anchor
}
