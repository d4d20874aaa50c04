import { fields, objects, text, wholeNumber } from '../../../formats/shared/json.ts'
import { answerEnd } from '../answer-end.ts'
import type { FaceAnswer } from '../face.ts'
import { reportedUsage } from '../reported-usage.ts'
import { responseObjects } from '../response-objects.ts'
import { modelMessage } from './read-contents.ts'

/** The answer of Gemini, streamed or whole. A stream without a finish reason was broken off. */
export function geminiAnswer(body: string, place: number): FaceAnswer | undefined {
  const events = responseObjects(body)
  const candidates = events.flatMap((event) => objects(event.candidates).slice(0, 1))
  const reason = candidates.findLast((candidate) => text(candidate.finishReason) !== undefined)?.finishReason
  if (reason === undefined) return undefined
  const parts = candidates.flatMap((candidate) => objects(fields(candidate.content)?.parts))
  const usage = fields(events.findLast((event) => fields(event.usageMetadata) !== undefined)?.usageMetadata) ?? {}
  return {
    message: modelMessage(parts, place),
    model: text(events[0]?.modelVersion),
    end: answerEnd(reason),
    usage: reportedUsage({
      input: usage.promptTokenCount,
      output: (wholeNumber(usage.candidatesTokenCount) ?? 0) + (wholeNumber(usage.thoughtsTokenCount) ?? 0),
      cacheRead: usage.cachedContentTokenCount,
      reasoning: usage.thoughtsTokenCount,
    }),
  }
}
