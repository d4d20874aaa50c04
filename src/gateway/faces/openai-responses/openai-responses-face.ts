import { meaningOf } from '../../../formats/openai-responses/items.ts'
import { addMeaning } from '../../../formats/openai-responses/read.ts'
import { fields, objects, text } from '../../../formats/shared/json.ts'
import { LogBuilder } from '../../../formats/shared/log-builder.ts'
import { type Message, partsOf } from '../../../model/message/message.ts'
import type { Face } from '../face.ts'
import { declaredTools } from '../fixed-parts.ts'
import { openAIResponsesAnswer } from './read-answer.ts'

/** OpenAI's Responses API. An answer is several items, which become one message: it stands with the first of them. */
export const openAIResponsesFace: Face = {
  name: 'openai-responses',
  isConversation: (path) => /\/responses$/.test(path),
  messagesKey: 'input',
  head: (json) => ({
    model: text(json.model) ?? '',
    isStream: json.stream === true,
    fixed: {
      system: text(json.instructions),
      tools: declaredTools(objects(json.tools), 'parameters'),
    },
  }),
  instructionOf(value) {
    const item = fields(value) ?? {}
    if (item.role !== 'developer' && item.role !== 'system') return undefined
    const meaning = meaningOf(item)
    return meaning?.kind === 'system' ? meaning.text : ''
  },
  speakerOf(value) {
    const meaning = meaningOf(fields(value) ?? {})
    if (meaning?.kind === 'answer') return 'model'
    return meaning?.kind === 'result' || (meaning?.kind === 'user' && saysSomething(meaning.message))
      ? 'others'
      : 'nobody'
  },
  messagesOf(values) {
    const log = new LogBuilder()
    const before = values.map((value) => {
      const count = log.entries.length
      addMeaning(log, meaningOf(fields(value) ?? {}))
      return count
    })
    return before.map((from, i) =>
      log.entries.slice(from, before[i + 1]).flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
    )
  },
  answerOf: openAIResponsesAnswer,
}

function saysSomething(message: Message): boolean {
  return partsOf(message).some((part) => part.type !== 'text' || part.text.trim() !== '')
}
