import { validate } from '../../engine/view/validate.ts'
import type { ModelEvent } from '../../llm/call/chat-model.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import type { Agent } from '../agent.ts'
import { recoverFromOverflow } from '../compaction/overflow-recovery.ts'
import type { TurnEnd } from '../events.ts'
import { modelCallOf } from '../request/model-call.ts'

type Finish = Extract<ModelEvent, { type: 'finish' }>

/** The model's answer, or how the turn ends without one. `said` is what had been said until then. */
export type ModelAnswer =
  | { readonly ok: true; readonly finish: Finish }
  | { readonly ok: false; readonly reason: TurnEnd['reason']; readonly text: string; readonly said: string }

/** An answer that breaks off in the middle is asked for again this often: nothing of it has been acted on. */
const MOST_BROKEN = 6

/** Asks for the next answer, through broken streams and overflows. */
export async function askModel(agent: Agent, signal: AbortSignal): Promise<ModelAnswer> {
  let broken = 0
  let overflows = 0
  for (;;) {
    const call = { ...modelCallOf(agent), signal }
    const [problem] = validate(call.messages)
    if (problem !== undefined) return ended('failed', `The history is not valid for a provider: ${problem.text}`, '')
    const { outcome, said, begun } = await streamed(agent, agent.model.stream(call))
    if (outcome.type === 'finish') {
      agent.lastCall = { at: agent.deps.clock(), sentMessages: call.messages.length }
      if (!isEmpty(outcome)) return { ok: true, finish: outcome }
      if (outcome.reason === 'content-filter') return ended('failed', 'The provider refuses to answer this', said)
      if (++broken >= MOST_BROKEN) return ended('failed', 'The model gave an empty answer', said)
      agent.emit({ type: 'answer-void', failure: { kind: 'malformed', text: 'the answer was empty' } })
      continue
    }
    const { failure } = outcome
    if (signal.aborted || failure.kind === 'aborted') return ended('aborted', 'Interrupted', said)
    if (failure.kind === 'overflow') {
      const recovered = await recoverFromOverflow(agent, failure, ++overflows, signal)
      if (signal.aborted) return ended('aborted', 'Interrupted', said)
      if (!recovered.ok) return ended('context-limit', recovered.text, said)
      continue
    }
    // A call that never began to be answered has been tried again already.
    if (!begun || !BROKEN.has(failure.kind) || ++broken >= MOST_BROKEN) return ended('failed', failure.text, said)
    agent.emit({ type: 'answer-void', failure })
  }
}

/** Failures that may not happen again on the next try. */
const BROKEN: ReadonlySet<ModelFailure['kind']> = new Set(['network', 'server', 'malformed', 'silence'])

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
      case 'retry':
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
