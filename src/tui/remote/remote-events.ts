import { stepFromWire } from '../../contract/shapes/compaction-steps.ts'
import type { EventData, WireEvent } from '../../contract/shapes/wire-events.ts'
import type { Outcome } from '../../engine/report/outcome.ts'
import type { PortEvent } from '../port/port-data.ts'

/** An event of a turn or of a compaction as events of the port; entries and the status are handled elsewhere. */
export function remotePortEvents(told: WireEvent): PortEvent[] {
  const { event, data } = told
  switch (event) {
    case 'turn.started':
      return [{ type: 'turn-started' }]
    case 'text':
    case 'reasoning':
    case 'notice':
      return [{ type: event, text: data.text }]
    case 'turn.waiting':
      return [{ type: 'notice', text: 'Waiting: a turn or a compaction is running in this session.' }]
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
    case 'compaction.started':
    case 'compaction.progress': {
      const step = stepFromWire(told)
      return step === undefined ? [] : [{ type: 'compaction', automatic: data.automatic ?? false, event: step }]
    }
    case 'compaction.ended':
      return [{ type: 'compaction-ended', automatic: data.automatic, result: resultOf(data) }]
    case 'compaction.failed':
    case 'compaction.skipped':
      return [{ type: 'compaction-ended', automatic: false, result: refusalOf(data) }]
    case 'turn.ended':
      return [{ type: 'turn-ended', reason: data.end.reason, text: data.end.text }]
    default:
      return []
  }
}

function resultOf(data: EventData<'compaction.ended'>): Outcome {
  const { outcome, reason, skip } = data
  if (outcome !== 'compacted') return { outcome, reason, skip }
  const { rung, messages_removed: messagesRemoved, tokens_before: tokensBefore, tokens_after: tokensAfter } = data
  return { outcome, rung, messagesRemoved, tokensBefore, tokensAfter }
}

/** The outcome of a compaction that the server answered with an error. */
function refusalOf({ code, reason }: EventData<'compaction.failed'>): Outcome {
  if (code === 'busy') return { outcome: 'busy', reason }
  return { outcome: code === 'refused-by-hook' ? 'refused' : 'failed', reason }
}
