import type { JsonObject } from '../../../model/types.ts'
import { countsOf, type OwnAnswer, type RenderedAnswer } from '../own-answer.ts'
import { eventResponse, jsonResponse } from '../written-response.ts'

/** An answer of the Messages API. */
export function renderAnthropicAnswer(answer: OwnAnswer): RenderedAnswer {
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
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = countsOf(answer)
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
