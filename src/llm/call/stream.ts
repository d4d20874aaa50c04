import { setTimeout as pause } from 'node:timers/promises'
import { ABORTED } from '../failure/model-failure.ts'
import { attempt, type CallTarget } from './attempt.ts'
import { pauseMs, type RetryLimits } from './back-off.ts'
import type { ModelCall, ModelEvent } from './chat-model.ts'

/** The target of a call, and how the call is tried again. */
export type StreamDeps = CallTarget & {
  readonly limits: RetryLimits
  readonly random: () => number
  /** Waits; an abort ends the wait early, by returning or by throwing. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Calls a model, and tries again as long as no part of an answer has come. It never throws: `finish` or `failed` comes last, exactly once. */
export async function* streamCall(call: ModelCall, deps: StreamDeps): AsyncGenerator<ModelEvent, void> {
  const limits = { ...deps.limits, attempts: Math.min(deps.limits.attempts, call.attempts ?? deps.limits.attempts) }
  let pausedMs = 0
  for (let count = 1; ; count++) {
    const failed = yield* attempt(call, deps)
    if (failed === undefined) return
    const { failure } = failed
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

/** Waits in real time. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal })
}
