import type { z } from 'zod'
import type { Message } from '../message/message.ts'
import type { inputKindSchema, modelInfoSchema, pricesSchema, tierSchema } from './model-info-schema.ts'
import type { usageSchema } from './usage-schema.ts'

/** US dollars per million tokens. A request whose prompt has more tokens than `long.above` is charged by `long` alone. */
export type Prices = z.infer<typeof pricesSchema>

/** How strong and how expensive a model is among those of its provider. `standard` models are used for summaries. */
export type Tier = z.infer<typeof tierSchema>

export type InputKind = z.infer<typeof inputKindSchema>

/** The registry's facts about a model. An unknown window is absent; there is no default. */
export type ModelInfo = z.infer<typeof modelInfoSchema>

/** The provider of an unknown model. */
export const NO_PROVIDER = 'none'

/** The name of a model that may be only partly known, if that is enough to compare it. */
export function knownName({ provider, model }: Partial<ModelInfo>): string | undefined {
  return provider === undefined || model === undefined || provider === NO_PROVIDER
    ? undefined
    : modelName({ provider, model })
}

/** The name users write: `provider/model`. */
export function modelName(info: Pick<ModelInfo, 'provider' | 'model'>): string {
  return `${info.provider}/${info.model}`
}

/** The token counts that a provider reported for one call. `inputTokens` includes cache reads and writes, `outputTokens` reasoning. */
export type Usage = z.infer<typeof usageSchema>

/** The usage of several calls together. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: sum(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: sum(a.cacheWriteTokens, b.cacheWriteTokens),
    cacheWriteHourTokens: sum(a.cacheWriteHourTokens, b.cacheWriteHourTokens),
    reasoningTokens: sum(a.reasoningTokens, b.reasoningTokens),
  }
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}

/** A request for a summary. It declares no tools and has no tool parts. */
export type SummaryRequest = {
  readonly system: string
  readonly messages: readonly Message[]
  /** If absent, the provider decides. */
  readonly maxOutputTokens?: number
  /** An upper bound of the tokens of its messages by our own count. Absent if they were not counted. */
  readonly mostTokens?: number
}

/** A piece of a model's answer. A plain string is text; a stream that simply ends has finished. */
export type ModelChunk =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string }
  /** The call failed and will be tried again after a pause. */
  | { readonly type: 'retry'; readonly inMs: number; readonly reason: string }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'other'; readonly usage?: Usage }
  | { readonly type: 'error'; readonly error: unknown }

/** The session's own model after its last request: the directive is one more message, everything else stays the same. */
export type WarmModel = {
  readonly name: string
  readonly prices?: Prices
  readonly stream: (directive: string, signal: AbortSignal) => AsyncIterable<ModelChunk>
}

/** A model as the engine uses it: a name, a window, and a stream that ends when the signal aborts. */
export type SummaryModel = {
  readonly name: string
  readonly window?: number
  readonly prices?: Prices
  readonly stream: (request: SummaryRequest, signal: AbortSignal) => AsyncIterable<ModelChunk>
}
