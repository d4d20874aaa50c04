import type { CompactEvent } from '../engine/compact.ts'
import type { ServerEvent } from './streams.ts'
import { toWire } from './wire.ts'

/** A step of a compaction as a server-sent event. */
export function compactionEvent(session_id: string, event: CompactEvent, more: object = {}): ServerEvent {
  const { type, ...data } = event
  const wire = { session_id, ...more, ...(toWire(data) as object) }
  if (type === 'start') return { event: 'compaction.started', data: wire }
  return { event: 'compaction.progress', data: { ...wire, step: type } }
}
