import type { CompactionRecogniser } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'

/** Copilot CLI names its compaction in a header, and sends its conversation with a directive as the last message. Seen on 1.0.102. */
export const copilotCompaction: CompactionRecogniser = ({ read, request }) => {
  if (request.headers['x-interaction-type'] !== 'conversation-compaction') return undefined
  const last = lastTextOf(read)
  if (last === undefined) return undefined
  return {
    client: 'copilot',
    conversation: last.rest,
    form: 'text',
    edits: (directive) => [last.replacedBy(directive)],
    dressed: (record) => record,
  }
}
