import type { RawEvent } from '../../contract/event-reader.ts'
import { anthropicReader } from '../../formats/anthropic/read.ts'
import { type Fields, fields, objects, parsed, text, wholeNumber } from '../../formats/shared/json.ts'
import { addUsage, type JsonObject, type Usage } from '../../model/types.ts'
import { answerEnd, type Face, type FaceAnswer } from './face.ts'
import { eventResponse, jsonResponse, type OwnAnswer, type RenderedAnswer } from './own-answer.ts'
import { declaredTools, joinedTexts, reportedMiss, reportedUsage, responseObjects } from './protocol-parts.ts'
import { reductionsIn } from './provider-context.ts'

/** Anthropic's Messages API. */
export const anthropicFace: Face = {
  name: 'anthropic',
  isConversation: (path) => /\/messages$/.test(path),
  messagesKey: 'messages',
  head: (json) => ({
    model: text(json.model) ?? '',
    isStream: json.stream === true,
    fixed: {
      system: text(json.system) ?? joinedTexts(objects(json.system)),
      tools: declaredTools(objects(json.tools), 'input_schema'),
    },
  }),
  speakerOf: (value) => (fields(value)?.role === 'assistant' ? 'model' : 'others'),
  messagesOf(values) {
    const read = anthropicReader()
    return values.map((value) => read(fields(value) ?? {}))
  },
  answerOf: anthropicAnswer,
  usageIn: (body) => usageIn(reportedCounts(responseObjects(body))),
  isLast: ({ data }: RawEvent) => data.includes('message_stop') && fields(parsed(data))?.type === 'message_stop',
  signOfLife: 'event: ping\ndata: {"type":"ping"}\n\n',
  render: renderAnthropicAnswer,
}

/** The answer of the Messages API, streamed or whole. A stream without its end was broken off. */
export function anthropicAnswer(body: string): FaceAnswer | undefined {
  const events = responseObjects(body)
  const [first] = events
  const usage = reportedCounts(events)
  if (first?.type === 'message') return answer(objects(first.content), usage, first)
  const start = fields(events.find((event) => event.type === 'message_start')?.message)
  const last = events.findLast((event) => event.type === 'message_delta')
  const end = fields(last?.delta)
  // Nothing of the answer comes after its stop reason.
  const isComplete = text(end?.stop_reason) !== undefined || events.some((event) => event.type === 'message_stop')
  if (start === undefined || !isComplete) return undefined
  const context = events.findLast((event) => fields(event.context_management))?.context_management
  return answer(blocksOf(events), usage, {
    model: start.model,
    stop_reason: end?.stop_reason,
    // The comparison may end after the stream has begun.
    diagnostics: end?.diagnostics ?? last?.diagnostics ?? start.diagnostics,
    context_management: context ?? start.context_management,
  })
}

function answer(blocks: readonly Fields[], usage: Fields, response: Fields): FaceAnswer {
  const { model, stop_reason: reason, diagnostics, context_management: management } = response
  const miss = fields(fields(diagnostics)?.cache_miss_reason)
  const [message] = anthropicReader()({ role: 'assistant', content: blocks })
  const compactions = objects(usage.iterations).filter(({ type }) => type === 'compaction')
  return {
    message,
    model: text(model),
    end: answerEnd(reason),
    usage: usageIn(usage),
    cacheMiss: reportedMiss(miss, miss?.cache_missed_input_tokens),
    reduced: reductionsIn(management, message),
    compactionUsage: compactions.map(usageIn).reduce(addUsage, undefined),
  }
}

/** The counts of an answer, also of one that is not complete. */
function reportedCounts(events: readonly Fields[]): Fields {
  const start = fields(events.find((event) => event.type === 'message_start')?.message) ?? events[0]
  return { ...fields(start?.usage), ...lastUsage(events) }
}

/** The provider counts what was read from the cache, and written to it, apart from the rest of the input. */
function usageIn(usage: Fields): Usage | undefined {
  const counts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'].map(
    (key) => wholeNumber(usage[key]) ?? 0,
  )
  return reportedUsage({
    input: counts.reduce((sum, count) => sum + count, 0),
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    cacheWriteHour: fields(usage.cache_creation)?.ephemeral_1h_input_tokens,
  })
}

/** The counts of the last `message_delta`; some servers leave those of the input at 0 there. */
function lastUsage(events: readonly Fields[]): Fields {
  const usage = fields(events.findLast((event) => event.type === 'message_delta')?.usage) ?? {}
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => wholeNumber(count) || Array.isArray(count)))
}

/** The content blocks that a stream builds piece by piece. */
function blocksOf(events: readonly Fields[]): Fields[] {
  const blocks = new Map<unknown, Record<string, unknown>>()
  for (const event of events) {
    if (event.type === 'content_block_start') blocks.set(event.index, { ...fields(event.content_block) })
    const block = blocks.get(event.index)
    if (event.type === 'content_block_delta' && block !== undefined) extend(block, fields(event.delta) ?? {})
  }
  return [...blocks.values()].map(({ json, ...block }) =>
    typeof json === 'string' ? { ...block, input: parsed(json) ?? json } : block,
  )
}

function extend(block: Record<string, unknown>, delta: Fields): void {
  const add = (key: string, piece: unknown) => {
    block[key] = `${text(block[key]) ?? ''}${text(piece) ?? ''}`
  }
  if (delta.type === 'text_delta') add('text', delta.text)
  else if (delta.type === 'thinking_delta') add('thinking', delta.thinking)
  else if (delta.type === 'signature_delta') add('signature', delta.signature)
  else if (delta.type === 'compaction_delta') add('content', delta.content)
  else if (delta.type === 'input_json_delta' && text(delta.partial_json) !== undefined) add('json', delta.partial_json)
}

/** An answer of the Messages API. */
function renderAnthropicAnswer(answer: OwnAnswer): RenderedAnswer {
  const { text, isStream } = answer
  const usage = usageOf(answer)
  const message = { id: `msg_${answer.id}`, type: 'message', role: 'assistant', model: answer.model }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  if (!isStream) return jsonResponse({ ...message, content: [{ type: 'text', text }], ...end, usage })
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 0 },
  }
  return eventResponse(
    [
      { type: 'message_start', message: begun },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: end, usage },
      { type: 'message_stop' },
    ],
    { named: true },
  )
}

/** In this API `input_tokens` does not include the tokens that were read from the cache or written to it. */
function usageOf(answer: OwnAnswer): JsonObject {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = answer.usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
