import { z } from 'zod'
import { type Rung, rungSchema } from '../../model/policy.ts'
import type { CompactionOutcome, PortEvent } from '../port-data.ts'
import type { RemoteEvent } from './client.ts'
import { endedSchema, turnEndSchema } from './shapes.ts'

const started = z.object({
  automatic: z.boolean().default(false),
  tokens: z.number(),
  messages: z.number(),
  estimatedCost: z.number().optional(),
})
const progress = z.object({
  step: z.string(),
  rung: rungSchema.optional(),
  model: z.string().optional(),
  chunk: z.number().optional(),
  of: z.number().optional(),
})
const retry = z.object({ attempt: z.number(), inMs: z.number(), reason: z.string() })
const text = z.object({ text: z.string() })
const tool = z.object({ toolCallId: z.string(), text: z.string() })
const toolInput = z.object({ toolName: z.string() })
const toolStarted = z.object({ toolCallId: z.string(), request: z.object({ diff: z.string().optional() }).optional() })
const question = z.object({
  id: z.string(),
  action: z.enum(['read', 'edit', 'command']),
  target: z.string(),
  outside: z.boolean(),
  diff: z.string().optional(),
})
const closed = z.object({ id: z.string() })
const reason = z.object({ reason: z.string() })

/** What an event of a reply or of a compaction means for a screen; entries and status are looked at elsewhere. */
export function portEventsOf({ event, data }: RemoteEvent): PortEvent[] {
  switch (event) {
    case 'turn.started':
      return [{ type: 'turn-started' }]
    case 'text':
    case 'reasoning':
      return [{ type: event, text: text.parse(data).text }]
    case 'notice':
      return [{ type: 'notice', text: text.parse(data).text }]
    case 'turn.waiting':
      return [{ type: 'notice', text: 'Waiting: something else is at work in this session.' }]
    case 'tool.input':
      return [{ type: 'tool-input', toolName: toolInput.parse(data).toolName }]
    case 'tool.output':
      return [{ type: 'tool-output', ...tool.parse(data) }]
    case 'tool.started': {
      const { toolCallId, request } = toolStarted.parse(data)
      return request?.diff === undefined ? [] : [{ type: 'tool-started', toolCallId, text: request.diff }]
    }
    case 'question':
      return [{ type: 'question', question: { kind: 'permission', ...question.parse(data) } }]
    case 'question.closed':
      return [{ type: 'question-closed', id: closed.parse(data).id }]
    case 'retry':
      return [{ type: 'retry', ...retry.parse(data) }]
    case 'answer.void':
      return [{ type: 'answer-void', reason: reason.parse(data).reason }]
    case 'compaction.started':
      return [{ type: 'compaction-started', ...started.parse(data) }]
    case 'compaction.progress':
      return progressOf(progress.parse(data))
    case 'compaction.ended': {
      const { automatic, outcome, reason: why } = endedSchema.parse(data)
      return [{ type: 'compaction-ended', automatic, outcome: outcomeOf(outcome, why) }]
    }
    case 'compaction.failed':
    case 'compaction.skipped': {
      const kind = event === 'compaction.failed' ? 'failed' : 'skipped'
      return [{ type: 'compaction-ended', automatic: false, outcome: { kind, reason: reason.parse(data).reason } }]
    }
    case 'turn.ended': {
      const { end } = turnEndSchema.parse(data)
      return [{ type: 'turn-ended', reason: end.reason, text: end.text }]
    }
    default:
      return []
  }
}

type Progress = { step: string; rung?: Rung; model?: string; chunk?: number; of?: number }

function progressOf({ step, rung, model, chunk, of }: Progress): PortEvent[] {
  if (step === 'rung' && rung !== undefined)
    return [{ type: 'compaction-progress', rung, ...(model === undefined ? {} : { model }) }]
  if (step === 'chunk' && chunk !== undefined && of !== undefined) return [{ type: 'compaction-progress', chunk, of }]
  return []
}

function outcomeOf(outcome: string, why: string): CompactionOutcome {
  if (outcome === 'compacted' || outcome === 'cancelled') return { kind: outcome }
  return { kind: outcome === 'failed' ? 'failed' : 'skipped', reason: why }
}
