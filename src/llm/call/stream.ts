import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderKind } from '../../config/tables/provider-settings.ts'
import { count } from '../../engine/report/numbers.ts'
import type { ModelInfo, Usage } from '../../model/types.ts'
import { field } from '../../model/values.ts'
import { fixedTokens, messagesTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { type CallFailure, failureOf } from '../failure/failure.ts'
import { ABORTED, AbortedError, type ModelFailure } from '../failure/model-failure.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { LanguageModel, SdkStreamPart } from '../provider/language-model.ts'
import { AnswerBuilder } from './answer-builder.ts'
import { callOptions } from './call-options.ts'
import { type ModelCall, type ModelEvent, Retries, type RetryDeps } from './chat-model.ts'
import { knownEvents } from './known-events.ts'
import { inWatch, type Patience, Watch } from './watch.ts'

/** The model that a call goes to, and the means to reach it. */
export type CallTarget = {
  readonly endpoint: Endpoint
  /** The current facts about the model, including learned limits. */
  readonly info: () => ModelInfo
  /** The AI SDK's model for the endpoint, created when it is first needed. Its requests go through `watchedFetch`. */
  readonly model: () => Promise<LanguageModel>
  readonly patience: Patience
  /** Unknown types of the protocol that were already reported to the user. */
  readonly reportedTypes: Set<string>
  readonly clock: () => number
}

type Finish = Extract<SdkStreamPart, { type: 'finish' }>
type FinishEvent = Extract<ModelEvent, { type: 'finish' }>

/** A failed attempt. `begun`: a part of an answer was passed on before. */
export type AttemptFailure = CallFailure & { readonly begun: boolean; readonly usage?: Usage }

/** Calls the model once. Yields its events; returns the failure, or undefined after `finish`. */
async function* attempt(call: ModelCall, target: CallTarget): AsyncGenerator<ModelEvent, AttemptFailure | undefined> {
  const unknown = new Set<string>()
  const reads = () => knownEvents((type) => unknown.add(type))
  const watch = new Watch(target.patience, call.signal, target.endpoint.kind === 'anthropic' ? reads : undefined)
  const answer = new AnswerBuilder(call.messages)
  let begun = false
  try {
    const parts = await open(call, target, watch)
    for (;;) {
      const { done, value: part } = await watch.race(parts.read())
      if (done) return { ...ended(target), begun }
      if (part.type === 'error') throw part.error
      if (part.type === 'finish') {
        const finish = finished(part, answer, call, target)
        if ('retry' in finish) return { ...finish, begun, usage: usageOf(part) }
        yield* unknownNotice(target, unknown)
        yield finish
        return undefined
      }
      for (const event of answer.take(part)) {
        begun = true
        yield event
      }
    }
  } catch (error) {
    const reason = call.signal?.aborted === true ? new AbortedError('aborted') : error
    return { ...failureOf(reason, target.endpoint, target.clock()), begun }
  } finally {
    watch.stop()
  }
}

/** A notice about each unknown type of the protocol, once. */
function* unknownNotice({ endpoint, reportedTypes }: CallTarget, unknown: ReadonlySet<string>): Generator<ModelEvent> {
  const types = [...unknown].filter((type) => !reportedTypes.has(type))
  if (types.length === 0) return
  for (const type of types) reportedTypes.add(type)
  const names = types.map((type) => `\`${type.slice(0, 60)}\``).join(', ')
  yield {
    type: 'notice',
    text: `${endpoint.provider} sent something that this version does not know (${names}); the rest of the answer is kept`,
  }
}

async function open(call: ModelCall, target: CallTarget, watch: Watch) {
  const { endpoint, info } = target
  const model = await watch.race(target.model())
  const options = await watch.race(callOptions(call, { model, endpoint, info: info() }))
  const asked = inWatch(watch, () => model.doStream({ ...options, abortSignal: watch.signal }))
  const { stream } = await watch.race(asked)
  return stream.getReader()
}

function finished(part: Finish, answer: AnswerBuilder, call: ModelCall, target: CallTarget): FinishEvent | CallFailure {
  const { unified, raw } = part.finishReason
  const usage = usageOf(part)
  if (unified === 'interrupted') return ended(target)
  const means = stopMeaning(target.endpoint.kind, raw, unified)
  if (means === 'broken') return malformed(target, raw)
  if (means === 'window-full') return { failure: windowFull(target), retry: false }
  const overflow = silentOverflow({ call, endpoint: target.endpoint, isEmpty: answer.isEmpty, reason: unified, usage })
  if (overflow !== undefined) return { failure: overflow, retry: false }
  return { type: 'finish', reason: reasonOf(means, answer), message: answer.message(), usage }
}

function reasonOf(means: StopMeaning, answer: AnswerBuilder): FinishEvent['reason'] {
  if (means === 'cut') return 'length'
  if (means === 'refused') return 'content-filter'
  // Some local servers report `stop` after a call.
  return answer.hasCalls ? 'tool-calls' : 'stop'
}

function windowFull({ endpoint }: CallTarget): ModelFailure {
  return { kind: 'overflow', text: `${endpoint.provider}: the window was full before the answer was whole` }
}

function ended({ endpoint }: CallTarget): CallFailure {
  return {
    failure: { kind: 'network', text: `${endpoint.provider}: the answer broke off before its end` },
    retry: true,
  }
}

function malformed({ endpoint }: CallTarget, raw: string | undefined): CallFailure {
  const why = raw === undefined ? '' : ` (${raw})`
  return { failure: { kind: 'malformed', text: `${endpoint.provider}: the answer is not valid${why}` }, retry: true }
}

/** A call that ended without an error. */
type FinishedCall = {
  readonly call: ModelCall
  readonly endpoint: Endpoint
  /** The answer has no text, no reasoning and no call. */
  readonly isEmpty: boolean
  readonly reason: string
  readonly usage: Usage | undefined
}

/**
 * An overflow that the provider does not report as an error. Some servers end with `length` and an empty answer: the
 * input left no room. Ollama drops the beginning of the request and reports only the tokens that it kept: half of its
 * context and a few more, or the rest after whole messages were dropped.
 */
function silentOverflow({ call, endpoint, isEmpty, reason, usage }: FinishedCall): ModelFailure | undefined {
  const { provider } = endpoint
  // With output tokens it is not an overflow: hidden reasoning has used up the limit of the answer.
  if (reason === 'length' && isEmpty && (usage?.outputTokens ?? 0) <= 1) {
    return { kind: 'overflow', text: `${provider}: the request leaves no room for an answer` }
  }
  if (!endpoint.truncates || usage === undefined) return undefined
  const sent = estimate(call)
  const kept = usage.inputTokens
  const isHalf = kept % HALF_STEP <= HALF_SLACK && kept >= HALF_STEP
  if (sent < LEAST_TOKENS || kept >= sent * (isHalf ? HALF_SHARE : KEPT_SHARE)) return undefined
  const limit = isHalf ? (kept - (kept % HALF_STEP)) * 2 : kept
  const text = `${provider}: it read only ${count(kept)} of about ${count(sent)} tokens; load the model with a larger context`
  return { kind: 'overflow', text, tokens: sent, limit }
}

// Our estimate can be off by a third, and Ollama keeps num_ctx / 2 + 2 tokens of a context that is a multiple of 1,024.
const KEPT_SHARE = 0.5
const HALF_SHARE = 0.7
const HALF_STEP = 512
const HALF_SLACK = 8
const LEAST_TOKENS = 1_500

function estimate({ system, tools, messages }: ModelCall): number {
  const fixed = fixedTokens({ system: system.join('\n\n'), tools }, featureEstimator)
  return fixed.system + fixed.tools + messagesTokens(messages, featureEstimator)
}

/**
 * The meaning of the end of an answer: it is complete, it has calls to run, it was cut at the output limit, the provider refused
 * to continue, the window was full, or the answer cannot be used and the request is sent again.
 */
export type StopMeaning = 'whole' | 'calls' | 'cut' | 'refused' | 'window-full' | 'broken'

type StopReason = { readonly kind: ProviderKind; readonly says: string; readonly means: StopMeaning }

/** The providers' own stop reasons, a row each. For a reason that is not here, the AI SDK's meaning applies. */
export const STOP_REASONS: readonly StopReason[] = [
  { kind: 'anthropic', says: 'end_turn', means: 'whole' },
  { kind: 'anthropic', says: 'stop_sequence', means: 'whole' },
  { kind: 'anthropic', says: 'tool_use', means: 'calls' },
  { kind: 'anthropic', says: 'max_tokens', means: 'cut' },
  { kind: 'anthropic', says: 'refusal', means: 'refused' },
  { kind: 'anthropic', says: 'model_context_window_exceeded', means: 'window-full' },
  { kind: 'openai', says: 'max_output_tokens', means: 'cut' },
  { kind: 'openai', says: 'content_filter', means: 'refused' },
  { kind: 'google', says: 'STOP', means: 'whole' },
  { kind: 'google', says: 'MAX_TOKENS', means: 'cut' },
  { kind: 'google', says: 'SAFETY', means: 'refused' },
  { kind: 'google', says: 'RECITATION', means: 'refused' },
  { kind: 'google', says: 'BLOCKLIST', means: 'refused' },
  { kind: 'google', says: 'PROHIBITED_CONTENT', means: 'refused' },
  { kind: 'google', says: 'SPII', means: 'refused' },
  { kind: 'google', says: 'IMAGE_SAFETY', means: 'refused' },
  { kind: 'google', says: 'LANGUAGE', means: 'refused' },
  { kind: 'google', says: 'MALFORMED_FUNCTION_CALL', means: 'broken' },
  { kind: 'google', says: 'UNEXPECTED_TOOL_CALL', means: 'broken' },
  { kind: 'openai-compatible', says: 'stop', means: 'whole' },
  { kind: 'openai-compatible', says: 'tool_calls', means: 'calls' },
  { kind: 'openai-compatible', says: 'function_call', means: 'calls' },
  { kind: 'openai-compatible', says: 'length', means: 'cut' },
  { kind: 'openai-compatible', says: 'model_length', means: 'window-full' },
  { kind: 'openai-compatible', says: 'content_filter', means: 'refused' },
  { kind: 'openai-compatible', says: 'insufficient_system_resource', means: 'broken' },
  { kind: 'openai-compatible', says: 'error', means: 'broken' },
]

/** The meaning of a stop reason: by the provider's own word, or else by that of the AI SDK. */
function stopMeaning(kind: ProviderKind, says: string | undefined, unified: string): StopMeaning {
  const row = STOP_REASONS.find((each) => each.kind === kind && each.says === says)
  if (row?.means === 'whole' && unified === 'content-filter') return 'refused'
  return row?.means ?? UNIFIED[unified] ?? 'whole'
}

const UNIFIED: Readonly<Record<string, StopMeaning>> = {
  'tool-calls': 'calls',
  length: 'cut',
  'content-filter': 'refused',
  error: 'broken',
  interrupted: 'broken',
}

/** The target of a call, and the limits and effects of its retries. */
type StreamDeps = CallTarget &
  RetryDeps & {
    /** Remembers the longest answer of the model, which a refusal has named. */
    readonly learn: (maxOutput: number) => void
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
  if (of === 'model') learn(tokens)
  if (call.maxOutputTokens !== undefined && tokens >= call.maxOutputTokens) return undefined
  return { ...call, maxOutputTokens: tokens }
}

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal })
}

/** The provider's count. Undefined if it reports none. 0 input tokens count as none, because there is no such request. */
export function usageOf({ usage: { inputTokens, outputTokens, raw } }: Finish): Usage | undefined {
  if (inputTokens.total === undefined || inputTokens.total === 0 || outputTokens.total === undefined) return undefined
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead || undefined,
    cacheWriteTokens: inputTokens.cacheWrite || undefined,
    cacheWriteHourTokens: hourTokens(raw),
    reasoningTokens: outputTokens.reasoning || undefined,
  }
}

/** The tokens that Anthropic wrote into its one-hour cache, which has its own price. */
function hourTokens(raw: unknown): number | undefined {
  const tokens = field(field(raw, 'cache_creation'), 'ephemeral_1h_input_tokens')
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined
}
