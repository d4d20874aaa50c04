import { addMeaning, fromOpenAIResponses, meaningOf } from '../../../formats/openai-responses/read.ts'
import { fields, objects, text } from '../../../formats/shared/json.ts'
import { LogBuilder } from '../../../formats/shared/log-builder.ts'
import { type Message, partsOf } from '../../../model/types.ts'
import { answerEnd, type Face, type FaceAnswer } from '../face.ts'
import { declaredTools } from '../fixed-parts.ts'
import { reportedUsage, responseObjects } from '../reported-usage.ts'

/** OpenAI's Responses API. An answer is several items, which become one message in the position of the first item. */
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

/** The answer of the Responses API, streamed or whole. A stream without an event for its end was broken off. */
function openAIResponsesAnswer(body: string): FaceAnswer | undefined {
  const events = responseObjects(body)
  const [first] = events
  const end = events.findLast(({ type }) => type === 'response.completed' || type === 'response.incomplete')
  const response = fields(end?.response) ?? (first?.object === 'response' ? first : undefined)
  if (response === undefined) return undefined
  // Some servers leave the output of the last event empty.
  const done = objects(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item))
  const [message] = fromOpenAIResponses(done.length > 0 ? done : objects(response.output))
  const usage = fields(response.usage) ?? {}
  return {
    message,
    model: text(response.model),
    end: answerEnd(fields(response.incomplete_details)?.reason ?? response.status),
    usage: reportedUsage({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: fields(usage.input_tokens_details)?.cached_tokens,
      reasoning: fields(usage.output_tokens_details)?.reasoning_tokens,
    }),
  }
}
