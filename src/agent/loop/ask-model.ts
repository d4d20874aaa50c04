import { validate } from '../../engine/view/validate.ts'
import type { ModelEvent } from '../../llm/call/chat-model.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import type { Agent } from '../agent.ts'
import { recoverFromOverflow } from '../compaction/overflow-recovery.ts'
import { switchModel } from '../compaction/switch-model.ts'
import type { TurnEnd } from '../events.ts'
import { modelCallOf } from '../request/model-call.ts'
import { storeVoid } from './store-void.ts'

type Finish = Extract<ModelEvent, { type: 'finish' }>

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
    const { outcome, said, begun } = await streamed(agent, agent.model.stream(call))
    const failure = outcome.type === 'finish' ? emptiness(outcome) : outcome.failure
    if (outcome.type === 'finish') {
      agent.lastCall = { at: agent.deps.clock(), sentMessages: call.messages.length }
      if (failure === undefined) return { ok: true, finish: outcome }
    }
    if (failure === undefined) continue
    await storeVoid(agent, failure.text, outcome.usage)
    if (signal.aborted || failure.kind === 'aborted') return ended('aborted', 'Interrupted', said)
    if (failure === REFUSED) return ended('refused', failure.text, said)
    if (failure.kind === 'overflow') {
      const recovered = await recoverFromOverflow(agent, failure, ++overflows, signal)
      if (signal.aborted) return ended('aborted', 'Interrupted', said)
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
    if (signal.aborted) return ended('aborted', 'Interrupted', said)
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

/** Why an answer that came to its end is none: it says nothing. */
function emptiness(finish: Finish): ModelFailure | undefined {
  if (!isEmpty(finish)) return undefined
  if (finish.reason === 'content-filter') return REFUSED
  return { kind: 'malformed', text: 'the answer was empty' }
}

function ended(reason: TurnEnd['reason'], text: string, said: string): ModelAnswer {
  return { ok: false, reason, text, said }
}

async function streamed(
  agent: Agent,
  events: AsyncIterable<ModelEvent>,
): Promise<{ outcome: Finish | Extract<ModelEvent, { type: 'failed' }>; said: string; begun: boolean }> {
  let said = ''
  let begun = false
  for await (const event of events) {
    begun ||= event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-input'
    switch (event.type) {
      case 'text':
        said += event.text
        agent.emit(event)
        break
      case 'reasoning':
      case 'tool-input':
      case 'notice':
        agent.emit(event)
        break
      case 'retry':
        await storeVoid(agent, event.failure.text, event.usage)
        agent.emit(event)
        break
      case 'tool-call':
        break
      case 'finish':
      case 'failed':
        return { outcome: event, said, begun }
    }
  }
  return { outcome: { type: 'failed', failure: { kind: 'network', text: 'the answer broke off' } }, said, begun }
}

function isEmpty({ message: { content } }: Finish): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return content.every((part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''))
}
