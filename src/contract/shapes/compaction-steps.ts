import type { CompactEvent } from '../../model/compact-result.ts'
import { toWire } from './wire.ts'
import type { EventData, WireEvent } from './wire-events.ts'

type StepEvent = Extract<WireEvent, { event: 'compaction.started' | 'compaction.progress' }>

/** A step of a compaction as a server-sent event. A second plan of the same compaction is progress, not a start. */
export function stepToWire(session_id: string, step: CompactEvent, automatic?: boolean): StepEvent {
  if (step.type === 'start' && step.again !== true) {
    const { type: _, ...start } = step
    return { event: 'compaction.started', data: { session_id, automatic, ...toWire(start) } }
  }
  const { type, ...progress } = step
  return { event: 'compaction.progress', data: { session_id, automatic, ...toWire(progress), step: type } }
}

/** A step of a compaction that came over HTTP; undefined when a screen does not show it. */
export function stepFromWire({ event, data }: StepEvent): CompactEvent | undefined {
  if (event === 'compaction.progress') return progressOf(data)
  const { reason, tokens, messages, estimated_cost: estimatedCost } = data
  return { type: 'start', reason, tokens, messages, estimatedCost }
}

function progressOf(data: EventData<'compaction.progress'>): CompactEvent | undefined {
  const { step, rung, model, chunk, of, in_ms: inMs, reason } = data
  if (step === 'rung' && rung !== undefined) return { type: 'rung', rung, model }
  if (step === 'chunk' && chunk !== undefined && of !== undefined) return { type: 'chunk', chunk, of }
  if (step === 'retry' && inMs !== undefined && reason !== undefined) return { type: 'retry', inMs, reason }
  return undefined
}
