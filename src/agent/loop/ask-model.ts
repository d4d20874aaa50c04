import { validate } from '../../engine/context/view/validate.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import { abortText } from '../abort-cause.ts'
import type { Agent } from '../agent.ts'
import { recoverFromOverflow } from '../compaction/overflow-recovery.ts'
import { switchModel } from '../compaction/switch-model.ts'
import type { TurnEnd } from '../events.ts'
import { modelCallOf } from '../request/model-call.ts'
import { storeVoid } from './store-void.ts'
import { type Finish, isEmptyAnswer, streamAnswer } from './stream-answer.ts'

/** The model's answer, or how the turn ends without one. `said` is what had been said until then. */
export type ModelAnswer =
  | { readonly ok: true; readonly finish: Finish }
  | { readonly ok: false; readonly reason: TurnEnd['reason']; readonly text: string; readonly said: string }

/** Asks for the next answer, through broken streams and overflows. What came to nothing is in the account. */
export async function askModel(agent: Agent, signal: AbortSignal): Promise<ModelAnswer> {
  let retries = agent.model.retries()
  let overflows = 0
  for (;;) {
    const call = { ...modelCallOf(agent), signal, retries }
    const [problem] = validate(call.messages)
    if (problem !== undefined) return ended('failed', `The history is not valid for a provider: ${problem.text}`, '')
    const { outcome, said, begun } = await streamAnswer(agent, call)
    if (outcome.type === 'finish') {
      agent.lastCall = { at: agent.deps.clock(), sentMessages: call.messages.length }
      if (!isEmptyAnswer(outcome)) return { ok: true, finish: outcome }
    }
    const failure = outcome.type === 'finish' ? emptiness(outcome) : outcome.failure
    await storeVoid(agent, failure.text, outcome.usage)
    if (signal.aborted || failure.kind === 'aborted') return ended('aborted', abortText(signal), said)
    if (failure === REFUSED) return ended('refused', failure.text, said)
    if (failure.kind === 'overflow') {
      const recovered = await recoverFromOverflow(agent, failure, ++overflows, signal)
      if (signal.aborted) return ended('aborted', abortText(signal), said)
      if (!recovered.ok) return ended('context-limit', recovered.text, said)
      continue
    }
    // A call that never began to be answered has been tried again already.
    const again = begun || outcome.type === 'finish'
    const inMs = again && BROKEN.has(failure.kind) ? retries.next(failure.retryAfterMs) : undefined
    const text = outcome.type === 'finish' ? 'The model gave an empty answer' : failure.text
    if (inMs === undefined) {
      if (!(await takeFallback(agent, failure, signal))) return ended('failed', text, said)
      retries = agent.model.retries()
      continue
    }
    agent.emit({ type: 'answer-void', failure })
    agent.emit({ type: 'retry', attempt: retries.attempt, inMs, failure })
    await retries.wait(inMs, signal)
    if (signal.aborted) return ended('aborted', abortText(signal), said)
  }
}

/** Failures that may not happen again on the next try. */
const BROKEN: ReadonlySet<ModelFailure['kind']> = new Set(['network', 'server', 'rate-limit', 'malformed', 'silence'])

/** Lets the other model take over when this one cannot be reached; false when there is none. */
async function takeFallback(agent: Agent, failure: ModelFailure, signal: AbortSignal): Promise<boolean> {
  if (!BROKEN.has(failure.kind) || signal.aborted) return false
  const { name } = agent.model
  const other = agent.deps.fallback?.()
  if (other === undefined || other.name === name) return false
  agent.emit({ type: 'notice', text: `${failure.text}. From here on ${other.name} answers in the place of ${name}` })
  return (await switchModel(agent, other, signal)).ok
}

const REFUSED: ModelFailure = { kind: 'bad-request', text: 'The provider refuses to answer this' }

/** Why an answer says nothing. */
function emptiness({ reason }: Finish): ModelFailure {
  return reason === 'content-filter' ? REFUSED : { kind: 'malformed', text: 'the answer was empty' }
}

function ended(reason: TurnEnd['reason'], text: string, said: string): ModelAnswer {
  return { ok: false, reason, text, said }
}
