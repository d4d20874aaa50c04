import type { ToolSchema } from '../model/fixed.ts'
import type { AssistantMessage, Message } from '../model/message.ts'
import type { ModelInfo } from '../model/model-info.ts'
import type { Usage } from '../model/usage.ts'

/** One request to a model: what the view and the fixed parts came to. */
export type ModelCall = {
  /** Blocks of the system prompt, the most stable first. */
  readonly system: readonly string[]
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  readonly maxOutputTokens?: number
  /** How much the model thinks before it answers; the provider's own default if absent. */
  readonly reasoning?: 'none' | 'minimal' | 'low' | 'medium' | 'high'
  /** Names the conversation for providers that route requests to a cache by it: the session's id. */
  readonly cacheKey?: string
  /** How many of the messages the former request had; without it, those before the last answer. */
  readonly cachedMessages?: number
  /** How often it is tried at most, where that is less than usual. */
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/** Why a call came to nothing. A failure ends the stream as data, it is never thrown. */
export type ModelFailure = {
  readonly kind:
    | 'overflow'
    | 'rate-limit'
    | 'auth'
    | 'bad-request'
    | 'server'
    | 'network'
    | 'silence'
    | 'malformed'
    | 'aborted'
  /** One line for the user, without secrets. */
  readonly text: string
  /** What the provider said of the size, where it did. */
  readonly tokens?: number
  readonly limit?: number
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
}

/** What a call streams. `finish` or `failed` comes last, exactly once. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A call has begun to be written; `tool-call` follows when its input is whole. */
  | { readonly type: 'tool-input'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  /** The call failed before anything of the answer came and is made again after a pause. */
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly failure: ModelFailure }
  | {
      readonly type: 'finish'
      readonly reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'
      /** All that was said, as it goes into the log. */
      readonly message: AssistantMessage
      readonly usage?: Usage
    }
  | { readonly type: 'failed'; readonly failure: ModelFailure }

/** A model that a conversation is held with. */
export type ChatModel = {
  /** `provider/model`. */
  readonly name: string
  readonly info: ModelInfo
  /** How long the provider keeps what it has read since it was last used; absent where that is not known. */
  readonly cacheLifetimeMs?: number
  readonly stream: (call: ModelCall) => AsyncIterable<ModelEvent>
}
