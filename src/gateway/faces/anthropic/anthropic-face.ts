import { anthropicReader } from '../../../formats/anthropic/read.ts'
import { fields, objects, text } from '../../../formats/shared/json.ts'
import type { Face } from '../face.ts'
import { declaredTools, joinedTexts } from '../fixed-parts.ts'
import { anthropicAnswer } from './read-answer.ts'

/** Anthropic's Messages API. */
export const anthropicFace: Face = {
  name: 'anthropic',
  isConversation: (path) => /\/messages$/.test(path),
  messagesKey: 'messages',
  head: (json) => ({
    model: text(json.model) ?? '',
    isStream: json.stream === true,
    fixed: {
      system: text(json.system) ?? joinedTexts(objects(json.system)),
      tools: declaredTools(objects(json.tools), 'input_schema'),
    },
  }),
  speakerOf: (value) => (fields(value)?.role === 'assistant' ? 'model' : 'others'),
  messagesOf(values) {
    const read = anthropicReader()
    return values.map((value) => read(fields(value) ?? {}))
  },
  answerOf: anthropicAnswer,
}
