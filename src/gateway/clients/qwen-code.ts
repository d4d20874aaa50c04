import { PITH_PROMPTS } from '../../engine/record/prompts/pith-prompts.ts'
import { fields, objects, text } from '../../formats/shared/json.ts'
import { type ByteEdit, valueRange } from '../bytes/splice.ts'
import type { FaceRequest } from '../faces/face.ts'
import { messageValue } from '../faces/read-request.ts'
import type { CompactionRecogniser } from './compaction-ask.ts'
import { inTags } from './in-tags.ts'
import { lastTextOf } from './last-text.ts'

/**
 * If the provider caches prefixes, qwen-code sends its own prefix with a directive as the last message. Otherwise it sends a
 * request without tools whose system prompt is the directive. Seen on 0.24.4. It accepts only an answer with a closed
 * `<state_snapshot>`.
 */
export const qwenCompaction: CompactionRecogniser = ({ read }) => {
  if (read.face !== 'openai-chat') return undefined
  const last = lastTextOf(read)
  if (last === undefined) return undefined
  const bySystem = read.fixed.system?.startsWith(DIRECTIVE) === true && last.text.includes('<state_snapshot>')
  if (!bySystem && !last.text.startsWith(DIRECTIVE)) return undefined
  return {
    client: 'qwen',
    conversation: last.rest,
    form: 'text',
    edits: (directive) => [...(bySystem ? systemEdit(read) : []), last.replacedBy(directive)],
    dressed: (record) => inTags('state_snapshot', record, ['analysis', 'scratchpad']),
  }
}

const DIRECTIVE = 'You are the component that summarizes a conversation when its context window is about to overflow.'

/** The client's system prompt demands its own form of a summary. */
function systemEdit(read: FaceRequest): ByteEdit[] {
  const [first] = read.messages
  const value = first === undefined ? undefined : fields(messageValue(read, first))
  if (first === undefined || value?.role !== 'system') return []
  const isText = text(value.content) !== undefined
  const path = isText ? ['content'] : ['content', 0, 'text']
  if (!isText && objects(value.content).length !== 1) return []
  const range = valueRange(read.body, first.start, path)
  return range === undefined ? [] : [{ ...range, text: JSON.stringify(PITH_PROMPTS.system) }]
}
