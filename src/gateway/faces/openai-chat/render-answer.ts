import type { JsonObject } from '../../../model/types.ts'
import { countsOf, type OwnAnswer, type RenderedAnswer } from '../own-answer.ts'
import { eventResponse, jsonResponse } from '../written-response.ts'

/** An answer of Chat Completions. The last chunk of a stream has the usage, also for clients that did not ask for it. */
export function renderChatAnswer(answer: OwnAnswer): RenderedAnswer {
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
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = countsOf(answer)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
