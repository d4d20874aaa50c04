import type { AgentEvent } from '../../../agent/events.ts'
import { unreachable } from '../../../model/errors.ts'
import { toWire, wireEntry } from '../../http/wire.ts'
import type { ServerEvent } from '../../stream/streams.ts'
import { compactionEvent } from '../compact/compaction-event.ts'
import { wireResult } from '../compact/wire-compaction.ts'
import { type Turn, type TurnNews, wireEnd } from './turns.ts'

/** A turn as server-sent events, `turn.ended` last. */
export async function* turnEvents(session: string, turn: Turn, signal: AbortSignal): AsyncGenerator<ServerEvent, void> {
  for await (const news of turn.news.events(signal)) {
    const event = eventOf(session, turn.id, news)
    if (event !== undefined) yield event
  }
  // A turn that broke, not one that failed: it has said nothing.
  if (!signal.aborted) await turn.done
}

function eventOf(session_id: string, id: string, news: TurnNews): ServerEvent | undefined {
  switch (news.type) {
    case 'stored':
      return { event: 'turn.stored', data: { session_id, id, seq: news.seq } }
    case 'waiting':
      return { event: 'turn.waiting', data: { session_id, id, running: news.running } }
    case 'ended':
      return { event: 'turn.ended', data: { session_id, id, seq: news.seq, end: wireEnd(news.end) } }
    case 'question':
      return { event: 'question', data: { session_id, ...(toWire(news.question) as object) } }
    case 'question-closed':
      return { event: 'question.closed', data: { session_id, id: news.id } }
    case 'agent':
      return agentEvent(session_id, id, news.event)
    default:
      return unreachable(news)
  }
}

function agentEvent(session_id: string, id: string, event: AgentEvent): ServerEvent | undefined {
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
    case 'tool-output':
    case 'tool-started':
    case 'tool-finished': {
      const { type, ...data } = event
      return { event: type.replace('-', '.'), data: toWire(data) }
    }
    case 'retry':
      return { event: 'retry', data: { attempt: event.attempt, in_ms: event.inMs, reason: event.failure.text } }
    case 'answer-void':
      return { event: 'answer.void', data: { reason: event.failure.text } }
    case 'entry':
      return { event: 'entry', data: { session_id, seq: event.entry.seq, entry: wireEntry(event.entry) } }
    case 'compaction':
      return compactionEvent(session_id, event.event, { automatic: event.automatic })
    case 'compaction-ended':
      return {
        event: 'compaction.ended',
        data: { session_id, automatic: event.automatic, ...wireResult(id, event.result) },
      }
    // The turn has ended for its reader when the session is free again.
    case 'turn-ended':
      return undefined
    default:
      return unreachable(event)
  }
}
