import type { JsonObject } from '../../../model/types.ts'
import { countsOf, type OwnAnswer, type RenderedAnswer } from '../own-answer.ts'
import { eventResponse, jsonResponse } from '../written-response.ts'

/** An answer of the Responses API: one message with the text. */
export function renderResponsesAnswer(answer: OwnAnswer): RenderedAnswer {
  const { text } = answer
  const begun = { type: 'message', id: `msg_${answer.id}`, role: 'assistant', status: 'in_progress', content: [] }
  const part = { type: 'output_text', text, annotations: [] }
  const item = { ...begun, status: 'completed', content: [part] }
  const place = { item_id: begun.id, output_index: 0, content_index: 0 }
  return response(answer, item, [
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
  return response(answer, item, [{ type: 'response.output_item.added', output_index: 0, item }])
}

/** The answer of `POST /responses/compact`, which never streams: the history that the client continues with. */
export function renderCompactedHistory(answer: OwnAnswer): RenderedAnswer {
  const item = { type: 'compaction', id: `cmp_${answer.id}`, encrypted_content: answer.text }
  const created = Math.floor(answer.at / 1000)
  const base = { id: `resp_${answer.id}`, object: 'response.compaction', created_at: created }
  return jsonResponse({ ...base, output: [item], usage: usageOf(answer) })
}

function response(answer: OwnAnswer, item: JsonObject, made: readonly JsonObject[]): RenderedAnswer {
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
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = countsOf(answer)
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
