import type { CompactEvent } from '../../../engine/compact/compact.ts'
import { toWire } from '../../http/wire.ts'
import type { ServerEvent } from '../../stream/streams.ts'

/** A step of a compaction as a server-sent event. */
export function compactionEvent(session_id: string, event: CompactEvent, more: object = {}): ServerEvent {
  const { type, ...data } = event
  const wire = { session_id, ...more, ...(toWire(data) as object) }
  if (type === 'start') return { event: 'compaction.started', data: wire }
  return { event: 'compaction.progress', data: { ...wire, step: type } }
}
