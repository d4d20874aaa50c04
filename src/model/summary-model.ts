import type { Message } from './message.ts'
import type { Prices } from './model-info.ts'
import type { Usage } from './usage.ts'

/** What a summarising request asks of a model. It declares no tools and holds no tool parts. */
export type SummaryRequest = {
  readonly system: string
  readonly messages: readonly Message[]
  readonly maxOutputTokens: number
}

/** A piece of a model's answer. A plain string is text; a stream that just ends has finished. */
export type ModelChunk =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string }
  /** It failed and is asked again after a pause. */
  | { readonly type: 'retry'; readonly inMs: number; readonly reason: string }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'other'; readonly usage?: Usage }
  | { readonly type: 'error'; readonly error: unknown }

/** The session's own model, asked behind its last request: the directive is one more message, all else stays as it was. */
export type WarmModel = {
  readonly name: string
  readonly prices?: Prices
  readonly stream: (directive: string, signal: AbortSignal) => AsyncIterable<ModelChunk>
}

/** A model as the engine needs it: a name, what it can take, and a stream that ends when the signal aborts. */
export type SummaryModel = {
  readonly name: string
  readonly window?: number
  readonly prices?: Prices
  readonly stream: (request: SummaryRequest, signal: AbortSignal) => AsyncIterable<ModelChunk>
}
