import type { Message } from '../message/message.ts'
import type { Prices } from '../provider/model-info.ts'
import type { Usage } from '../provider/usage.ts'

/** A request for a summary. It declares no tools and has no tool parts. */
export type SummaryRequest = {
  readonly system: string
  readonly messages: readonly Message[]
  /** Absent: as many as the provider gives. */
  readonly maxOutputTokens?: number
  /** Its messages have no more tokens than this by our own count; absent: nobody has counted them. */
  readonly mostTokens?: number
}

/** A piece of a model's answer. A plain string is text; a stream that just ends has finished. */
export type ModelChunk =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string }
  /** The call failed and is tried again after a pause. */
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
