import { type Answer, finishOf } from '../brain.ts'
import type { Ids, Reply, WriteContext } from '../protocol.ts'
import { sse } from '../sse.ts'
import type { TokenUsage } from '../token-count.ts'
import { type Output, outputsOf } from './output.ts'

/** The answer as the Responses API streams it, and the items that a client may refer to from now on. */
export function responsesEvents(answer: Answer, usage: TokenUsage, { model, ids }: WriteContext) {
  const outputs = outputsOf(answer, ids)
  const response = { id: ids('resp'), object: 'response', created_at: 1_700_000_000, model, status: 'in_progress' }
  const finish = finishOf(answer)
  const cut = finish === 'length' || finish === 'content-filter'
  const done = {
    ...response,
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    output: outputs.map(({ item }) => item),
    usage: usageOf(usage),
  }
  const events = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...outputs.flatMap(outputEvents),
    { type: cut ? 'response.incomplete' : 'response.completed', response: done },
  ]
  return {
    events: events.map((event, i) => sse({ ...event, sequence_number: i }, event.type)),
    items: outputs.map(({ id, item }) => [id, item] as const),
  }
}

function outputEvents({ id, item, begun, events }: Output, output_index: number) {
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...events({ item_id: id, output_index }),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function usageOf({ input, cacheRead, output, reasoning }: TokenUsage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

export function responsesErrorEvent(message: string): string {
  const error = { type: 'server_error', code: 'server_error', message, param: null }
  return sse({ type: 'error', sequence_number: 3, error }, 'error')
}

/** The Responses API answers 200 and reports the overflow inside of the stream. */
export function responsesOverflow(ids: Ids): Reply {
  const error = {
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    param: 'input',
  }
  const response = { id: ids('resp'), object: 'response', created_at: 1_700_000_000, model: '', status: 'in_progress' }
  const failed = { ...response, status: 'failed', error: { code: error.code, message: error.message } }
  const events = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    { type: 'error', error },
    { type: 'response.failed', response: failed },
  ]
  return { kind: 'stream', events: events.map((event, i) => sse({ ...event, sequence_number: i }, event.type)) }
}
