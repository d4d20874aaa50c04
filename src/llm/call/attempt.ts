import type { ModelInfo } from '../../model/model-info.ts'
import type { ModelCall, ModelEvent } from '../chat-model.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Failed, failedBy } from '../failure/failure.ts'
import { silentOverflow } from '../failure/silent-overflow.ts'
import type { LanguageModel, StreamPart } from '../language-model.ts'
import { Answer } from './answer.ts'
import { callOptions } from './call-options.ts'
import { usageOf } from './usage-of.ts'
import { Aborted, type Patience, Watch } from './watch.ts'
import { inWatch } from './watched-fetch.ts'

/** Whom to ask, and by which means. */
export type Target = {
  readonly endpoint: Endpoint
  readonly info: ModelInfo
  /** The model of the AI SDK behind the endpoint, made when it is first needed; its requests go through `watchedFetch`. */
  readonly model: () => Promise<LanguageModel>
  readonly patience: Patience
  readonly clock: () => number
}

type Finish = Extract<StreamPart, { type: 'finish' }>
type FinishEvent = Extract<ModelEvent, { type: 'finish' }>

/** A failed attempt, and whether a part of an answer had been passed on by then. */
export type FailedAttempt = Failed & { readonly begun: boolean }

/** Asks once. Yields what is said; returns the failure if it came to nothing, after `finish` nothing. */
export async function* attempt(call: ModelCall, target: Target): AsyncGenerator<ModelEvent, FailedAttempt | undefined> {
  const watch = new Watch(target.patience, call.signal)
  const answer = new Answer(call.messages)
  let begun = false
  try {
    const parts = await open(call, target, watch)
    for (;;) {
      const { done, value: part } = await watch.race(parts.read())
      if (done) return { ...ended(target), begun }
      if (part.type === 'error') throw part.error
      if (part.type === 'finish') {
        const finish = finished(part, answer, call, target)
        if ('retry' in finish) return { ...finish, begun }
        yield finish
        return undefined
      }
      for (const event of answer.take(part)) {
        begun = true
        yield event
      }
    }
  } catch (error) {
    const reason = call.signal?.aborted === true ? new Aborted('aborted') : error
    return { ...failedBy(reason, target.endpoint, target.clock()), begun }
  } finally {
    watch.stop()
  }
}

async function open(call: ModelCall, target: Target, watch: Watch) {
  const { endpoint, info } = target
  const model = await watch.race(target.model())
  const options = await watch.race(callOptions(call, { model, kind: endpoint.kind, info }))
  const asked = inWatch(watch, () => model.doStream({ ...options, abortSignal: watch.signal }))
  const { stream } = await watch.race(asked)
  return stream.getReader()
}

function finished(part: Finish, answer: Answer, call: ModelCall, target: Target): FinishEvent | Failed {
  const { unified } = part.finishReason
  const usage = usageOf(part)
  if (unified === 'interrupted') return ended(target)
  if (unified === 'error') return malformed(target, part.finishReason.raw)
  const overflow = silentOverflow({ call, endpoint: target.endpoint, isEmpty: answer.isEmpty, reason: unified, usage })
  if (overflow !== undefined) return { failure: overflow, retry: false }
  // Some local servers say `stop` behind a call.
  const reason = answer.hasCalls && unified !== 'length' ? 'tool-calls' : unified
  return { type: 'finish', reason, message: answer.message(), ...(usage === undefined ? {} : { usage }) }
}

function ended({ endpoint }: Target): Failed {
  return {
    failure: { kind: 'network', text: `${endpoint.provider}: the answer broke off before its end` },
    retry: true,
  }
}

function malformed({ endpoint }: Target, raw: string | undefined): Failed {
  const why = raw === undefined ? '' : ` (${raw})`
  return { failure: { kind: 'malformed', text: `${endpoint.provider}: the answer is not valid${why}` }, retry: true }
}
