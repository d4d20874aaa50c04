import type { DetectRules } from '../shared/format.ts'
import { fields } from '../shared/json.ts'

const LINE_TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])

export const detectCodex: DetectRules = {
  line(line) {
    if (fields(line.payload) !== undefined && LINE_TYPES.has(line.type)) return true
    // The first versions wrote a line about the session, then bare items.
    return line.record_type === 'state' || ('instructions' in line && 'id' in line && 'timestamp' in line)
  },
  head: /^\s*\{\s*"type"\s*:\s*"(?:session_meta|response_item)"|^\s*\{\s*"timestamp"\s*:\s*"[^"]*",\s*"type"\s*:\s*"session_meta"/,
}
