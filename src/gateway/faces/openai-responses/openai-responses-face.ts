import { meaningOf } from '../../../formats/openai-responses/items.ts'
import { addMeaning, fromOpenAIResponses } from '../../../formats/openai-responses/read.ts'
import { fields, objects, text } from '../../../formats/shared/json.ts'
import { LogBuilder } from '../../../formats/shared/log-builder.ts'
import { textOf } from '../../../model/message.ts'
import type { Face } from '../face.ts'
import { toolSchemas } from '../fixed-parts.ts'
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
      system: text([text(json.instructions) ?? [], developerTexts(json.input)].flat().join('\n')),
      tools: toolSchemas(objects(json.tools), 'parameters'),
    },
  }),
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

function developerTexts(input: unknown): string[] {
  const items = objects(input).filter(({ role }) => role === 'developer' || role === 'system')
  return fromOpenAIResponses(items).map(textOf)
}
