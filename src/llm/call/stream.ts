import { setTimeout as pause } from 'node:timers/promises'
import { ABORTED, type ModelFailure } from '../failure/model-failure.ts'
import { attempt, type CallTarget } from './attempt.ts'
import { pauseMs, type RetryLimits } from './back-off.ts'
import type { ModelCall, ModelEvent } from './chat-model.ts'

/** The target of a call, and how the call is tried again. */
export type StreamDeps = CallTarget & {
  readonly limits: RetryLimits
  /** Keeps what a refusal has told about the model. */
  readonly learn: (limits: { maxOutput: number }) => void
  readonly random: () => number
  /** Waits; an abort ends the wait early, by returning or by throwing. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Calls a model, and tries again as long as no part of an answer has come. It never throws: `finish` or `failed` comes last, exactly once. */
export async function* streamCall(call: ModelCall, deps: StreamDeps): AsyncGenerator<ModelEvent, void> {
  const limits = { ...deps.limits, attempts: Math.min(deps.limits.attempts, call.attempts ?? deps.limits.attempts) }
  let pausedMs = 0
  let asked = call
  for (let count = 1; ; count++) {
    const failed = yield* attempt(asked, deps)
    if (failed === undefined) return
    const { failure } = failed
    const shorter = withShorterAnswer(asked, failure, deps)
    if (shorter !== undefined) {
      asked = shorter
      continue
    }
    const { retryAfterMs } = failure
    const canRetry = failed.retry && !failed.begun
    const inMs = canRetry ? pauseMs({ attempt: count, pausedMs, retryAfterMs }, limits, deps.random) : undefined
    if (inMs === undefined) return yield { type: 'failed', failure }
    yield { type: 'retry', attempt: count + 1, inMs, failure }
    await deps.sleep(inMs, call.signal).catch(() => {})
    if (call.signal?.aborted === true) return yield { type: 'failed', failure: ABORTED }
    pausedMs += inMs
  }
}

/** The call with an answer as long as the provider gives; undefined when the length was not the fault. */
function withShorterAnswer(call: ModelCall, { outputLimit }: ModelFailure, { learn }: StreamDeps) {
  if (outputLimit === undefined) return undefined
  const { tokens, of } = outputLimit
  if (of === 'model') learn({ maxOutput: tokens })
  if (call.maxOutputTokens !== undefined && tokens >= call.maxOutputTokens) return undefined
  return { ...call, maxOutputTokens: tokens }
}

/** Waits in real time. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal })
}
