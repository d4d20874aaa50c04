import { openAIChatReader } from '../../formats/openai-chat/read.ts'
import { type Fields, fields, objects, text, wholeNumber } from '../../formats/shared/json.ts'
import { type JsonObject, textOf, type Usage } from '../../model/types.ts'
import { answerEnd, type Face, type FaceAnswer } from './face.ts'
import { eventResponse, jsonResponse, type OwnAnswer, type RenderedAnswer } from './own-answer.ts'
import { declaredTools, reportedUsage, responseObjects } from './protocol-parts.ts'

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
  usageIn: (body) => usageOfEvents(responseObjects(body)),
  isLast: ({ data }) => data === '[DONE]',
  // A comment: every event of this protocol is a piece of the answer.
  signOfLife: ': waiting\n\n',
  render: renderChatAnswer,
}

function instruction(message: Fields): string | undefined {
  if (message.role !== 'system' && message.role !== 'developer') return undefined
  return openAIChatReader()(message).map(textOf).join('\n')
}

/** The answer of the Chat Completions API, streamed or whole. A stream without a finish reason was broken off. */
function openAIChatAnswer(body: string): FaceAnswer | undefined {
  const events = responseObjects(body)
  const choices = events.flatMap((event) => objects(event.choices).filter((choice) => (choice.index ?? 0) === 0))
  const whole = choices.map((choice) => fields(choice.message)).find((message) => message !== undefined)
  const reason = choices.findLast((choice) => text(choice.finish_reason) !== undefined)?.finish_reason
  if (whole === undefined && reason === undefined) return undefined
  const [message] = openAIChatReader()(whole ?? messageOf(objects(choices.map((choice) => choice.delta))))
  return {
    message,
    model: text(events[0]?.model),
    end: answerEnd(reason),
    usage: usageOfEvents(events),
  }
}

function usageOfEvents(events: readonly Fields[]): Usage | undefined {
  const usage = fields(events.findLast((event) => fields(event.usage) !== undefined)?.usage) ?? {}
  return reportedUsage({
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cacheRead: fields(usage.prompt_tokens_details)?.cached_tokens,
    reasoning: fields(usage.completion_tokens_details)?.reasoning_tokens,
  })
}

/** The message that the pieces of a stream form. */
function messageOf(deltas: readonly Fields[]): Fields {
  const joined = (key: string) => deltas.map((delta) => text(delta[key]) ?? '').join('')
  return {
    role: 'assistant',
    content: joined('content') || joined('refusal'),
    reasoning_content: joined('reasoning_content') || joined('reasoning'),
    tool_calls: callsIn(deltas.flatMap((delta) => objects(delta.tool_calls))),
  }
}

/** The calls of a stream: pieces of one call have the same index, or, at servers that send none, no id after the first. */
function callsIn(pieces: readonly Fields[]): Fields[] {
  const calls = new Map<number, { id?: string; name: string; arguments: string }>()
  let last = -1
  for (const piece of pieces) {
    last = wholeNumber(piece.index) ?? (text(piece.id) === undefined ? last : last + 1)
    const call = calls.get(last) ?? { name: '', arguments: '' }
    const made = fields(piece.function) ?? {}
    call.id ??= text(piece.id)
    call.name += text(made.name) ?? ''
    call.arguments += text(made.arguments) ?? ''
    calls.set(last, call)
  }
  return [...calls.values()].map(({ id, ...made }) => ({ id, type: 'function', function: made }))
}

/** An answer of Chat Completions. The last chunk of a stream has the usage, also for clients that did not ask for it. */
function renderChatAnswer(answer: OwnAnswer): RenderedAnswer {
  const { text: content, model, isStream } = answer
  const usage = usageOf(answer)
  const base = { id: `chatcmpl-${answer.id}`, created: Math.floor(answer.at / 1000), model }
  if (!isStream) {
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
    return jsonResponse({ ...base, object: 'chat.completion', choices: [choice], usage })
  }
  const chunk = (delta: JsonObject, reason: string | null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const events = [
    chunk({ role: 'assistant', content: '' }, null),
    chunk({ content }, null),
    chunk({}, 'stop'),
    { ...base, object: 'chat.completion.chunk', choices: [], usage },
  ]
  return eventResponse(events, { end: '[DONE]' })
}

function usageOf(answer: OwnAnswer): JsonObject {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = answer.usage ?? {}
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
