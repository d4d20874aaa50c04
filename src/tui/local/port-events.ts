import type { AgentEvent } from '../../agent/events.ts'
import { retryText } from '../../engine/report/progress-text.ts'
import { changesView } from '../../engine/view/view-of.ts'
import { unreachable } from '../../model/errors.ts'
import type { SessionCompactResult } from '../../session/compact-session.ts'
import type { CompactionOutcome, PortEvent } from '../port-data.ts'

/** What an event of the agent means for a screen: without views, and with what is large left out. */
export function portEvents(event: AgentEvent): readonly PortEvent[] {
  switch (event.type) {
    case 'turn-started':
    case 'text':
    case 'reasoning':
    case 'entry':
      return [event]
    case 'step-started':
    case 'status':
    case 'tool-finished':
      return []
    case 'tool-input':
      return [{ type: 'tool-input', toolName: event.toolName }]
    case 'retry':
      return [{ type: 'retry', attempt: event.attempt, inMs: event.inMs, reason: event.failure.text }]
    case 'answer-void':
      return [{ type: 'answer-void', reason: event.failure.text }]
    case 'tool-started': {
      const diff = event.request?.kind === 'edit' ? event.request.diff : undefined
      return diff === undefined ? [] : [{ type: 'tool-started', toolCallId: event.toolCallId, text: diff }]
    }
    case 'tool-output':
      return [{ type: 'tool-output', toolCallId: event.toolCallId, text: event.text }]
    case 'compaction':
      return compactionStep(event)
    case 'compaction-ended':
      return ended(event.automatic, event.result)
    case 'notice':
      return [{ type: 'notice', text: event.text }]
    case 'turn-ended':
      return [{ type: 'turn-ended', reason: event.end.reason, text: event.end.text }]
    default:
      return unreachable(event)
  }
}

function compactionStep({ automatic, event }: Extract<AgentEvent, { type: 'compaction' }>): PortEvent[] {
  switch (event.type) {
    case 'start': {
      const { tokens, messages, estimatedCost } = event
      const cost = estimatedCost === undefined ? {} : { estimatedCost }
      return [{ type: 'compaction-started', automatic, tokens, messages, ...cost }]
    }
    case 'rung':
      return [{ ...event, type: 'compaction-progress' }]
    case 'chunk':
      return [{ type: 'compaction-progress', chunk: event.chunk, of: event.of }]
    case 'retry':
      return [{ type: 'compaction-progress', retry: retryText(event) }]
    case 'refused':
    case 'done':
      return []
  }
}

function ended(automatic: boolean, result: SessionCompactResult): PortEvent[] {
  const shown = result.entries.filter(changesView)
  return [
    ...shown.map((entry): PortEvent => ({ type: 'entry', entry })),
    { type: 'compaction-ended', automatic, outcome: outcomeOf(result) },
  ]
}

function outcomeOf({ outcome, reason }: SessionCompactResult): CompactionOutcome {
  if (outcome === 'compacted' || outcome === 'cancelled') return { kind: outcome }
  return { kind: outcome === 'busy' ? 'skipped' : outcome, reason }
}
