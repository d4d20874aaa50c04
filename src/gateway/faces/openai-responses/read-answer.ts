import { fromOpenAIResponses } from '../../../formats/openai-responses/read.ts'
import { fields, objects, text } from '../../../formats/shared/json.ts'
import { answerEnd } from '../answer-end.ts'
import type { FaceAnswer } from '../face.ts'
import { reportedUsage } from '../reported-usage.ts'
import { responseObjects } from '../response-objects.ts'

/** The answer of the Responses API, streamed or whole. A stream that does not say how it ended was broken off. */
export function openAIResponsesAnswer(body: string): FaceAnswer | undefined {
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
