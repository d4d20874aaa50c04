import { addMeaning, fromOpenAIResponses, meaningOf } from '../../formats/openai-responses/read.ts'
import { type Fields, fields, objects, parsed, text } from '../../formats/shared/json.ts'
import { LogBuilder } from '../../formats/shared/log-builder.ts'
import { type JsonObject, type Message, partsOf, type Usage } from '../../model/types.ts'
import { answerEnd, type Face, type FaceAnswer } from './face.ts'
import { eventResponse, jsonResponse, type OwnAnswer, type RenderedAnswer } from './own-answer.ts'
import { declaredTools, reportedMiss, reportedUsage, responseObjects } from './protocol-parts.ts'
import { reductionsIn } from './provider-context.ts'

/** With all members that the AI SDK asks for, which opencode uses. */
const WAITING = { id: 'resp_waiting', object: 'response', created_at: 0, model: '', status: 'in_progress', output: [] }
const IN_PROGRESS = eventResponse([{ type: 'response.in_progress', response: WAITING }], { named: true }).body

/** OpenAI's Responses API. An answer is several items, which become one message in the position of the first item. */
export const openAIResponsesFace: Face = {
  name: 'openai-responses',
  isConversation: (path) => /\/responses$/.test(path),
  messagesKey: 'input',
  messageOfText: (content) => ({ type: 'message', role: 'user', content }),
  head: (json) => ({
    model: text(json.model) ?? '',
    isStream: json.stream === true,
    fixed: {
      system: text(json.instructions),
      tools: declaredTools(objects(json.tools), 'parameters'),
    },
    continues: text(json.previous_response_id) ?? idOf(json.conversation),
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
  usageIn: (body) => usageIn(responseObjects(body)),
  isLast: ({ data }) => COMPLETE.test(data) && isComplete(fields(parsed(data)) ?? {}),
  // Codex gives up after five minutes without an event, and a comment is not one.
  signOfLife: IN_PROGRESS,
  render: renderResponsesAnswer,
}

/** A conversation of the API is named by its id, or by an object with it. */
function idOf(conversation: unknown): string | undefined {
  return text(conversation) ?? text(fields(conversation)?.id)
}

function saysSomething(message: Message): boolean {
  return partsOf(message).some((part) => part.type !== 'text' || part.text.trim() !== '')
}

/** The answer of the Responses API, streamed or whole. A stream without an event for its end was broken off. */
function openAIResponsesAnswer(body: string): FaceAnswer | undefined {
  const events = responseObjects(body)
  const [first] = events
  const end = events.findLast(isComplete)
  const response = fields(end?.response) ?? (first?.object === 'response' ? first : undefined)
  if (response === undefined) return undefined
  // Some servers leave the output of the last event empty.
  const done = objects(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item))
  const [message] = fromOpenAIResponses(done.length > 0 ? done : objects(response.output))
  const diagnosed = fields(response.prompt_cache_diagnostics)
  return {
    message,
    model: text(response.model),
    end: answerEnd(fields(response.incomplete_details)?.reason ?? response.status),
    usage: usageIn(events),
    cacheMiss:
      diagnosed?.type === 'cache_miss' ? reportedMiss(diagnosed.reason, diagnosed.cache_missed_tokens) : undefined,
    // A response that is not stored cannot be continued.
    heldAs: [response.store === false ? [] : (text(response.id) ?? []), idOf(response.conversation) ?? []].flat(),
    reduced: reductionsIn(response.context_management, message),
  }
}

const COMPLETE = /response\.(?:completed|incomplete)/

function isComplete({ type }: Fields): boolean {
  return type === 'response.completed' || type === 'response.incomplete'
}

/** An answer that failed may have a usage, too. */
function usageIn(events: readonly Fields[]): Usage | undefined {
  const responses = events.map((event) => fields(event.response) ?? event)
  const usage = fields(responses.findLast((response) => fields(response.usage) !== undefined)?.usage) ?? {}
  return reportedUsage({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: fields(usage.input_tokens_details)?.cached_tokens,
    reasoning: fields(usage.output_tokens_details)?.reasoning_tokens,
  })
}

/** An answer of the Responses API: one message with the text. */
function renderResponsesAnswer(answer: OwnAnswer): RenderedAnswer {
  const { text } = answer
  const begun = { type: 'message', id: `msg_${answer.id}`, role: 'assistant', status: 'in_progress', content: [] }
  const part = { type: 'output_text', text, annotations: [] }
  const item = { ...begun, status: 'completed', content: [part] }
  const place = { item_id: begun.id, output_index: 0, content_index: 0 }
  return wholeResponse(answer, item, [
    { type: 'response.output_item.added', output_index: 0, item: begun },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: text },
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.content_part.done', ...place, part },
  ])
}

/** An answer of the Responses API that is exactly one compaction item: Codex accepts nothing else when it asked for one. */
export function renderCompactionItem(answer: OwnAnswer): RenderedAnswer {
  const item = { type: 'compaction', id: `cmp_${answer.id}`, encrypted_content: answer.text }
  return wholeResponse(answer, item, [{ type: 'response.output_item.added', output_index: 0, item }])
}

/** The answer of `POST /responses/compact`, which never streams: the history that the client continues with. */
export function renderCompactedHistory(answer: OwnAnswer): RenderedAnswer {
  const item = { type: 'compaction', id: `cmp_${answer.id}`, encrypted_content: answer.text }
  const created = Math.floor(answer.at / 1000)
  const base = { id: `resp_${answer.id}`, object: 'response.compaction', created_at: created }
  return jsonResponse({ ...base, output: [item], usage: usageOf(answer) })
}

function wholeResponse(answer: OwnAnswer, item: JsonObject, made: readonly JsonObject[]): RenderedAnswer {
  const created = Math.floor(answer.at / 1000)
  const base = { id: `resp_${answer.id}`, object: 'response', created_at: created, model: answer.model, error: null }
  const begun = { ...base, status: 'in_progress', output: [] }
  const done = { ...base, status: 'completed', output: [item], usage: usageOf(answer) }
  if (!answer.isStream) return jsonResponse(done)
  const events = [
    { type: 'response.created', response: begun },
    ...made,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ]
  return eventResponse(
    events.map((event, i) => ({ ...event, sequence_number: i })),
    { named: true },
  )
}

function usageOf(answer: OwnAnswer): JsonObject {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = answer.usage ?? {}
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
