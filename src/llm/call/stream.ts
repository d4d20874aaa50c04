import { setTimeout as pause } from 'node:timers/promises'
import { ABORTED, type ModelFailure } from '../failure/model-failure.ts'
import { attempt, type CallTarget } from './attempt.ts'
import { type ModelCall, type ModelEvent, Retries, type RetryDeps } from './chat-model.ts'

/** The target of a call, and the limits and effects of its retries. */
export type StreamDeps = CallTarget &
  RetryDeps & {
    /** Stores a limit of the model that a refusal has named. */
    readonly learn: (limits: { maxOutput: number }) => void
  }

/** Calls a model, and tries again as long as no part of an answer has arrived. It never throws: `finish` or `failed` comes last, exactly once. */
export async function* streamCall(call: ModelCall, deps: StreamDeps): AsyncGenerator<ModelEvent, void> {
  const attempts = Math.min(deps.limits.attempts, call.attempts ?? deps.limits.attempts)
  const retries = call.retries ?? new Retries({ ...deps, limits: { ...deps.limits, attempts } })
  for (let asked = call; ; ) {
    const failed = yield* attempt(asked, deps)
    if (failed === undefined) return
    const { failure, usage } = failed
    const shorter = withShorterAnswer(asked, failure, deps)
    if (shorter !== undefined) {
      asked = shorter
      continue
    }
    const inMs = failed.retry && !failed.begun ? retries.next(failure.retryAfterMs) : undefined
    if (inMs === undefined) return yield { type: 'failed', failure, usage }
    yield { type: 'retry', attempt: retries.attempt, inMs, failure, usage }
    await retries.wait(inMs, call.signal)
    if (call.signal?.aborted === true) return yield { type: 'failed', failure: ABORTED }
  }
}

/** The call with the longest answer that the provider allows; undefined if the length was not the problem. */
function withShorterAnswer(call: ModelCall, { outputLimit }: ModelFailure, { learn }: StreamDeps) {
  if (outputLimit === undefined) return undefined
  const { tokens, of } = outputLimit
  if (of === 'model') learn({ maxOutput: tokens })
  if (call.maxOutputTokens !== undefined && tokens >= call.maxOutputTokens) return undefined
  return { ...call, maxOutputTokens: tokens }
}

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal })
}
