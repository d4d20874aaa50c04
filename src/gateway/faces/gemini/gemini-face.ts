import { fields, objects, text, wholeNumber } from '../../../formats/shared/json.ts'
import { answerEnd, type Face, type FaceAnswer } from '../face.ts'
import { declaredTools, joinedTexts } from '../fixed-parts.ts'
import { reportedUsage, responseObjects } from '../reported-usage.ts'
import { contentReader, modelMessage } from './read-contents.ts'

/** Gemini's `generateContent` and `streamGenerateContent`. The path names the model. */
export const geminiFace: Face = {
  name: 'gemini',
  isConversation: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  messagesKey: 'contents',
  head: (json, path) => ({
    model: decodeURIComponent(/\/models\/([^/:?]+):/.exec(path)?.[1] ?? ''),
    isStream: path.includes(':streamGenerateContent'),
    fixed: {
      system: joinedTexts(objects((fields(json.systemInstruction) ?? fields(json.system_instruction))?.parts)),
      tools: declaredTools(
        objects(json.tools).flatMap((tool) => objects(tool.functionDeclarations ?? tool.function_declarations)),
        'parameters',
      ),
    },
  }),
  speakerOf: (value) => (fields(value)?.role === 'model' ? 'model' : 'others'),
  messagesOf(values, from = 0) {
    const read = contentReader()
    return values.map((value, place) => read(fields(value) ?? {}, from + place))
  },
  answerOf: geminiAnswer,
}

/** The answer of Gemini, streamed or whole. A stream without a finish reason was broken off. */
function geminiAnswer(body: string, place: number): FaceAnswer | undefined {
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
