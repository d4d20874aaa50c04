import { contentOfParts } from '../../formats/shared/content-parts.ts'
import { modelPart, partsIn, responseOutput } from '../../formats/shared/google-parts.ts'
import { type Fields, fields, objects, text, wholeNumber } from '../../formats/shared/json.ts'
import { reminder } from '../../formats/shared/user-words.ts'
import { callsOf, type Message, type ToolCallPart, type Usage } from '../../model/types.ts'
import { answerEnd, type Face, type FaceAnswer } from './face.ts'
import { eventResponse, jsonResponse, type OwnAnswer, type RenderedAnswer } from './own-answer.ts'
import { declaredTools, joinedTexts, reportedUsage, responseObjects } from './protocol-parts.ts'

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
        objects(json.tools)
          .flatMap((tool) => objects(tool.functionDeclarations ?? tool.function_declarations))
          // Gemini CLI sends JSON Schema, other clients Google's own form of a schema.
          .map((tool) => ({
            ...tool,
            schema: tool.parameters ?? tool.parametersJsonSchema ?? tool.parameters_json_schema,
          })),
        'schema',
      ),
    },
  }),
  speakerOf: (value) => (fields(value)?.role === 'model' ? 'model' : 'others'),
  messagesOf(values, from = 0) {
    const read = contentReader()
    return values.map((value, place) => read(fields(value) ?? {}, from + place))
  },
  answerOf: geminiAnswer,
  usageIn: (body) => usageOfEvents(responseObjects(body)),
  // A chunk with a finish reason is the last of most models; older ones have the reason in every chunk.
  isLast: () => false,
  // Older versions of Google's library accept only white space before the first event.
  signOfLife: '\n\n',
  render: renderGeminiAnswer,
}

/** The answer of Gemini, streamed or whole. A stream without a finish reason was broken off. */
function geminiAnswer(body: string, place: number): FaceAnswer | undefined {
  const events = responseObjects(body)
  const candidates = events.flatMap((event) => objects(event.candidates).slice(0, 1))
  const reason = candidates.findLast((candidate) => text(candidate.finishReason) !== undefined)?.finishReason
  if (reason === undefined) return undefined
  const parts = candidates.flatMap((candidate) => objects(fields(candidate.content)?.parts))
  return {
    message: modelMessage(parts, place),
    model: text(events[0]?.modelVersion),
    end: answerEnd(reason),
    usage: usageOfEvents(events),
  }
}

function usageOfEvents(events: readonly Fields[]): Usage | undefined {
  const usage = fields(events.findLast((event) => fields(event.usageMetadata) !== undefined)?.usageMetadata) ?? {}
  return reportedUsage({
    input: usage.promptTokenCount,
    output: (wholeNumber(usage.candidatesTokenCount) ?? 0) + (wholeNumber(usage.thoughtsTokenCount) ?? 0),
    cacheRead: usage.cachedContentTokenCount,
    reasoning: usage.thoughtsTokenCount,
  })
}

/**
 * Reads the contents of a conversation one by one. Older versions of the API give calls no ids, and clients drop or change
 * the ids of newer ones. So a call gets its id from its position, and a response answers the call with the client's id, or
 * else the oldest open call of its name.
 */
function contentReader(): (content: Fields, place: number) => Message[] {
  let open: OpenCall[] = []
  return (content, place) => {
    const parts = objects(content.parts)
    if (content.role === 'model') {
      const message = modelMessage(parts, place)
      const ids = objects(parts.map((part) => part.functionCall)).map((call) => text(call.id))
      open = message === undefined ? [] : callsOf(message).map((call, i) => ({ ...call, given: ids[i] }))
      return message === undefined ? [] : [message]
    }
    const isResult = parts.some((part) => fields(part.functionResponse) !== undefined)
    // Texts next to the result of a tool come from the tool or from a hook, not from the user.
    const userParts = partsIn(parts).map((part) =>
      isResult && part.type === 'text' ? { ...part, text: reminder(part.text) } : part,
    )
    return [
      ...differing(parts).flatMap((part) => resultOf(fields(part.functionResponse), open)),
      ...(userParts.length === 0 ? [] : [{ role: 'user' as const, content: contentOfParts(userParts) }]),
    ]
  }
}

/** A call that has no result yet, with the id that the client or the provider gave it. */
type OpenCall = ToolCallPart & { readonly given?: string }

/** The model's message at its position in the conversation. Pieces of one text are joined. */
function modelMessage(parts: readonly Fields[], place: number): Message | undefined {
  const content = joined(parts).flatMap((part, i) => modelPart(withoutId(part), `call-${place}-${i}`))
  return content.length === 0 ? undefined : { role: 'assistant', content }
}

function withoutId(part: Fields): Fields {
  const call = fields(part.functionCall)
  return call === undefined ? part : { ...part, functionCall: { ...call, id: undefined } }
}

function joined(parts: readonly Fields[]): Fields[] {
  const whole: Fields[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    const isSameText = text(part.text) !== undefined && text(last?.text) !== undefined && part.thought === last?.thought
    if (isSameText) whole[whole.length - 1] = { ...last, text: `${last?.text}${part.text}` }
    else whole.push(part)
  }
  return whole
}

/** The parts that differ: Gemini CLI sends each response twice after it has resumed a session. */
function differing(parts: readonly Fields[]): Fields[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
}

function resultOf(response: Fields | undefined, open: OpenCall[]): Message[] {
  if (response === undefined) return []
  const byId = open.findIndex(({ given }) => given !== undefined && given === response.id)
  const place = byId === -1 ? open.findIndex(({ toolName }) => toolName === response.name) : byId
  const [call] = place === -1 ? [] : open.splice(place, 1)
  const toolCallId = call?.toolCallId ?? text(response.id) ?? text(response.name) ?? ''
  const toolName = call?.toolName ?? text(response.name) ?? 'unknown'
  const output = responseOutput(fields(response.response))
  return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }]
}

/** An answer of `generateContent` or `streamGenerateContent`: a stream of one chunk has the same content as a whole answer. */
function renderGeminiAnswer(answer: OwnAnswer): RenderedAnswer {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = answer.usage ?? {}
  const content = { role: 'model', parts: [{ text: answer.text }] }
  const response = {
    candidates: [{ index: 0, content, finishReason: 'STOP' }],
    modelVersion: answer.model,
    responseId: answer.id,
    usageMetadata: {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cacheReadTokens,
      candidatesTokenCount: outputTokens - reasoningTokens,
      thoughtsTokenCount: reasoningTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  }
  return answer.isStream ? eventResponse([response]) : jsonResponse(response)
}
