import type { AgentEvent } from '../../../agent/agent.ts'
import { stepToWire } from '../../../contract/shapes/compaction-steps.ts'
import { toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import type { WireEvent } from '../../../contract/shapes/wire-events.ts'
import { unchangedText } from '../../../engine/report/outcome.ts'
import { unreachable } from '../../../model/problems/errors.ts'
import { wireResult } from '../compact/wire-compaction.ts'
import { type Turn, type TurnNews, wireEnd } from './server-turn.ts'

/** A turn as server-sent events, `turn.ended` last. */
export async function* turnEvents(session: string, turn: Turn, signal: AbortSignal): AsyncGenerator<WireEvent, void> {
  for await (const news of turn.news.events(signal)) {
    const event = eventOf(session, turn.id, news)
    if (event !== undefined) yield event
  }
  // A turn that threw has sent no `turn.ended`: pass its error on.
  if (!signal.aborted) await turn.done
}

function eventOf(session_id: string, id: string, news: TurnNews): WireEvent | undefined {
  switch (news.type) {
    case 'stored':
      return { event: 'turn.stored', data: { session_id, id, seq: news.seq } }
    case 'waiting':
      return { event: 'turn.waiting', data: { session_id, id, running: news.running } }
    case 'ended':
      return { event: 'turn.ended', data: { session_id, id, seq: news.seq, end: wireEnd(news.end) } }
    case 'question':
      return { event: 'question', data: { session_id, ...news.question } }
    case 'question-closed':
      return { event: 'question.closed', data: { session_id, id: news.id } }
    case 'agent':
      return agentEvent(session_id, id, news.event)
    default:
      return unreachable(news)
  }
}

function agentEvent(session_id: string, id: string, event: AgentEvent): WireEvent | undefined {
  switch (event.type) {
    case 'turn-started':
      return { event: 'turn.started', data: { session_id, id } }
    case 'step-started':
      return { event: 'step.started', data: { step: event.step } }
    case 'text':
    case 'reasoning':
    case 'notice':
      return { event: event.type, data: { text: event.text } }
    case 'status':
      return { event: 'status', data: { status: event.status } }
    case 'tool-input':
      return { event: 'tool.input', data: withoutType(event) }
    case 'tool-output':
      return { event: 'tool.output', data: withoutType(event) }
    case 'tool-started':
      return { event: 'tool.started', data: withoutType(event) }
    case 'tool-finished':
      return { event: 'tool.finished', data: withoutType(event) }
    case 'retry':
      return { event: 'retry', data: { attempt: event.attempt, in_ms: event.inMs, reason: event.failure.text } }
    case 'answer-void':
      return { event: 'answer.void', data: { session_id, reason: event.failure.text } }
    case 'entry':
      return { event: 'entry', data: { session_id, seq: event.entry.seq, entry: wireEntry(event.entry) } }
    case 'compaction':
      return stepToWire(session_id, event.event, event.automatic)
    case 'compaction-ended':
      // The contract has no result for a refusal by a hook, because nothing was tried.
      if (event.result.outcome === 'refused') return { event: 'notice', data: { text: unchangedText(event.result) } }
      return {
        event: 'compaction.ended',
        data: { session_id, automatic: event.automatic, ...wireResult(id, event.result) },
      }
    // `turn.ended` is sent when the session is free again.
    case 'turn-ended':
      return undefined
    default:
      return unreachable(event)
  }
}

function withoutType<E extends { readonly type: string }>({ type: _, ...data }: E) {
  return toWire(data)
}
