import type { ModelInfo } from '../../model/provider/model-info.ts'
import type { Usage } from '../../model/provider/usage.ts'
import { type CallFailure, failureOf } from '../failure/failure.ts'
import { AbortedError, type ModelFailure } from '../failure/model-failure.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { LanguageModel, SdkStreamPart } from '../provider/language-model.ts'
import { AnswerBuilder } from './answer-builder.ts'
import { callOptions } from './call-options.ts'
import type { ModelCall, ModelEvent } from './chat-model.ts'
import { knownEvents } from './known-events.ts'
import { silentOverflow } from './silent-overflow.ts'
import { type StopMeaning, stopMeaning } from './stop-reasons.ts'
import { usageOf } from './usage-of.ts'
import { inWatch, type Patience, Watch } from './watch.ts'

/** The model that a call goes to, and the means to reach it. */
export type CallTarget = {
  readonly endpoint: Endpoint
  /** What is known of the model by now. */
  readonly info: () => ModelInfo
  /** The model of the AI SDK behind the endpoint, made when it is first needed; its requests go through `watchedFetch`. */
  readonly model: () => Promise<LanguageModel>
  readonly patience: Patience
  /** What of the protocol is not known here, as far as it was said. */
  readonly toldTypes: Set<string>
  readonly clock: () => number
}

type Finish = Extract<SdkStreamPart, { type: 'finish' }>
type FinishEvent = Extract<ModelEvent, { type: 'finish' }>

/** A failed attempt; `begun` when a part of an answer had been passed on before. */
export type AttemptFailure = CallFailure & { readonly begun: boolean; readonly usage?: Usage }

/** Calls the model once. Yields its events; returns the failure, or undefined after `finish`. */
export async function* attempt(
  call: ModelCall,
  target: CallTarget,
): AsyncGenerator<ModelEvent, AttemptFailure | undefined> {
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
        yield* newTo(target, unknown)
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

/** Says once what of the protocol is not known here. */
function* newTo({ endpoint, toldTypes }: CallTarget, unknown: ReadonlySet<string>): Generator<ModelEvent> {
  const types = [...unknown].filter((type) => !toldTypes.has(type))
  if (types.length === 0) return
  for (const type of types) toldTypes.add(type)
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
