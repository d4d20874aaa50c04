import { toWire } from '../../../contract/wire.ts'
import type { WireEvent } from '../../../contract/wire-events.ts'
import type { CompactEvent } from '../../../engine/compact/compact.ts'

/** A step of a compaction as a server-sent event. */
export function compactionEvent(session_id: string, event: CompactEvent, automatic: boolean): WireEvent {
  if (event.type === 'start') {
    const { type: _, ...start } = event
    return { event: 'compaction.started', data: { session_id, automatic, ...toWire(start) } }
  }
  const { type: step, ...progress } = event
  return { event: 'compaction.progress', data: { session_id, automatic, ...toWire(progress), step } }
}
