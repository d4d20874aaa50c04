import type { AssistantMessage, Message, ModelInfo, ToolSchema, Usage } from '../../model/types.ts'
import type { ModelFailure } from '../failure/model-failure.ts'

/** One request to a model, made from the view and the fixed parts. */
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
  /** How many of the messages were in the previous request; if absent, those before the last answer. */
  readonly cachedMessages?: number
  /** The most attempts for this call; it cannot raise the usual limit. */
  readonly attempts?: number
  /** The attempts at this answer so far, if an earlier call for it broke off. */
  readonly retries?: Retries
  readonly signal?: AbortSignal
}

/** The events of a call. `finish` or `failed` comes last, exactly once. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The model has begun to write a call; `tool-call` follows when its input is complete. */
  | { readonly type: 'tool-input'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  /** The call failed before any part of the answer arrived, and is sent again after a pause. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly inMs: number
      readonly failure: ModelFailure
      /** The provider's count of the failed attempt, if it reported one. */
      readonly usage?: Usage
    }
  | {
      readonly type: 'finish'
      readonly reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'
      /** The whole answer, for the log. */
      readonly message: AssistantMessage
      readonly usage?: Usage
    }
  /** One line for the user. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'failed'; readonly failure: ModelFailure; readonly usage?: Usage }

/** The model of a conversation. */
export type ChatModel = {
  /** `provider/model`. */
  readonly name: string
  readonly info: ModelInfo
  /** How long the provider's prompt cache keeps a request that is not used again; absent if that is not known. */
  readonly cacheLifetimeMs?: number
  /** A new count of attempts at an answer, for a caller that continues it after an answer broke off. */
  readonly retries: () => Retries
  readonly stream: (call: ModelCall) => AsyncIterable<ModelEvent>
}

/** The limits and effects of retries. */
export type RetryDeps = {
  readonly limits: RetryLimits
  readonly random: () => number
  /** Waits; an abort ends the wait early, by returning or by throwing. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Counts all attempts at one answer, whether they fail before the answer or in its middle. They share one limit and one time budget. */
export class Retries {
  readonly #deps: RetryDeps
  #attempt = 1
  #pausedMs = 0

  constructor(deps: RetryDeps) {
    this.#deps = deps
  }

  /** The number of the current attempt. */
  get attempt(): number {
    return this.#attempt
  }

  /** Starts the next attempt and returns the pause before it; undefined to give up. */
  next(retryAfterMs?: number): number | undefined {
    const { limits, random } = this.#deps
    const inMs = pauseMs({ attempt: this.#attempt, pausedMs: this.#pausedMs, retryAfterMs }, limits, random)
    if (inMs === undefined) return undefined
    this.#attempt++
    this.#pausedMs += inMs
    return inMs
  }

  /** Waits for the next attempt. An abort ends the wait. */
  async wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#deps.sleep(ms, signal).catch(() => {})
  }
}

/** How often a call is tried, and how long the pauses are. */
export type RetryLimits = {
  readonly attempts: number
  /** The first pause; each later one is twice as long. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** All pauses of a call together. */
  readonly totalPauseMs: number
}

export const RETRY_LIMITS: RetryLimits = {
  attempts: 8,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  totalPauseMs: 120_000,
}

/** The pause before the next attempt; undefined to give up. `attempt` is the number of attempts so far. */
export function pauseMs(
  made: { attempt: number; pausedMs: number; retryAfterMs?: number },
  limits: RetryLimits,
  random: () => number,
): number | undefined {
  if (made.attempt >= limits.attempts) return undefined
  const grown = Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** (made.attempt - 1))
  // A random pause in the upper half, so that many callers do not return at once.
  const pause = made.retryAfterMs ?? Math.round(grown * (0.5 + random() / 2))
  return made.pausedMs + pause > limits.totalPauseMs ? undefined : pause
}
