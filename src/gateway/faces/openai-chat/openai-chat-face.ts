import { openAIChatReader } from '../../../formats/openai-chat/read.ts'
import { type Fields, fields, objects, text } from '../../../formats/shared/json.ts'
import { textOf } from '../../../model/message/message.ts'
import type { Face } from '../face.ts'
import { declaredTools } from '../fixed-parts.ts'
import { openAIChatAnswer } from './read-answer.ts'

/** OpenAI's Chat Completions API, which many servers speak. Its instructions are messages. */
export const openAIChatFace: Face = {
  name: 'openai-chat',
  isConversation: (path) => /\/chat\/completions$/.test(path),
  messagesKey: 'messages',
  head: (json) => ({
    model: text(json.model) ?? '',
    isStream: json.stream === true,
    fixed: {
      tools: declaredTools(
        objects(json.tools).map((tool) => fields(tool.function) ?? fields(tool.custom) ?? tool),
        'parameters',
      ),
    },
  }),
  instructionOf: (value) => instruction(fields(value) ?? {}),
  speakerOf: (value) => (fields(value)?.role === 'assistant' ? 'model' : 'others'),
  messagesOf(values) {
    const read = openAIChatReader()
    return values.map((value) => read(fields(value) ?? {}).filter(({ role }) => role !== 'system'))
  },
  answerOf: openAIChatAnswer,
}

function instruction(message: Fields): string | undefined {
  if (message.role !== 'system' && message.role !== 'developer') return undefined
  return openAIChatReader()(message).map(textOf).join('\n')
}
