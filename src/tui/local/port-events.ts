import type { AgentEvent, CompactNowResult } from '../../agent/events.ts'
import type { Outcome } from '../../engine/report/outcome.ts'
import { changesView } from '../../engine/view/view-of.ts'
import { unreachable } from '../../model/errors.ts'
import type { PortEvent } from '../port-data.ts'

/** What an event of the agent means for a screen: without views, and with what is large left out. */
export function portEvents(event: AgentEvent): readonly PortEvent[] {
  switch (event.type) {
    case 'turn-started':
    case 'text':
    case 'reasoning':
    case 'entry':
    case 'compaction':
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

/** The entries first: they are what the screen shows of a compaction that went well. */
function ended(automatic: boolean, result: CompactNowResult): PortEvent[] {
  const shown = result.entries.filter(changesView)
  return [
    ...shown.map((entry): PortEvent => ({ type: 'entry', entry })),
    { type: 'compaction-ended', automatic, result: outcomeOf(result) },
  ]
}

function outcomeOf(result: CompactNowResult): Outcome {
  if (!result.compacted) return { outcome: result.outcome, reason: result.reason }
  const { outcome, rung, messagesRemoved, tokensBefore, tokensAfter } = result
  return { outcome, rung, messagesRemoved, tokensBefore, tokensAfter }
}
