import type { EventData, WireEvent } from '../../contract/wire-events.ts'
import type { CompactionOutcome, PortEvent } from '../port-data.ts'

/** What an event of a reply or of a compaction means for a screen; entries and status are looked at elsewhere. */
export function portEventsOf({ event, data }: WireEvent): PortEvent[] {
  switch (event) {
    case 'turn.started':
      return [{ type: 'turn-started' }]
    case 'text':
    case 'reasoning':
    case 'notice':
      return [{ type: event, text: data.text }]
    case 'turn.waiting':
      return [{ type: 'notice', text: 'Waiting: something else is at work in this session.' }]
    case 'tool.input':
      return [{ type: 'tool-input', toolName: data.tool_name }]
    case 'tool.output':
      return [{ type: 'tool-output', toolCallId: data.tool_call_id, text: data.text }]
    case 'tool.started':
      return data.request?.diff === undefined
        ? []
        : [{ type: 'tool-started', toolCallId: data.tool_call_id, text: data.request.diff }]
    case 'question': {
      const { id, action, target, outside, diff } = data
      return [{ type: 'question', question: { kind: 'permission', id, action, target, outside, diff } }]
    }
    case 'question.closed':
      return [{ type: 'question-closed', id: data.id }]
    case 'retry':
      return [{ type: 'retry', attempt: data.attempt, inMs: data.in_ms, reason: data.reason }]
    case 'answer.void':
      return [{ type: 'answer-void', reason: data.reason }]
    case 'compaction.started': {
      const { automatic = false, tokens, messages, estimated_cost: estimatedCost } = data
      return [{ type: 'compaction-started', automatic, tokens, messages, estimatedCost }]
    }
    case 'compaction.progress':
      return progressOf(data)
    case 'compaction.ended':
      return [{ type: 'compaction-ended', automatic: data.automatic, outcome: outcomeOf(data) }]
    case 'compaction.failed':
    case 'compaction.skipped': {
      const kind = event === 'compaction.failed' ? 'failed' : 'skipped'
      return [{ type: 'compaction-ended', automatic: false, outcome: { kind, reason: data.reason } }]
    }
    case 'turn.ended':
      return [{ type: 'turn-ended', reason: data.end.reason, text: data.end.text }]
    default:
      return []
  }
}

function progressOf({ step, rung, model, chunk, of }: EventData<'compaction.progress'>): PortEvent[] {
  if (step === 'rung' && rung !== undefined) return [{ type: 'compaction-progress', rung, model }]
  if (step === 'chunk' && chunk !== undefined && of !== undefined) return [{ type: 'compaction-progress', chunk, of }]
  return []
}

function outcomeOf({ outcome, reason }: EventData<'compaction.ended'>): CompactionOutcome {
  if (outcome === 'compacted' || outcome === 'cancelled') return { kind: outcome }
  return { kind: outcome === 'failed' ? 'failed' : 'skipped', reason }
}
