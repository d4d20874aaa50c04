import { type Answer, finishOf } from '../brain.ts'
import type { Ids, Reply, WriteContext } from '../protocol.ts'
import { pieces, sse } from '../sse.ts'
import type { TokenUsage } from '../token-count.ts'
import type { Item } from './body.ts'

type Output = { readonly id: string; readonly item: Item; readonly deltas: readonly string[] }

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

function outputsOf({ text = '', calls = [] }: Answer, ids: Ids): Output[] {
  const said = (id: string): Output => ({
    id,
    item: {
      type: 'message',
      id,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
    deltas: pieces(text),
  })
  const called = (id: string, name: string, input: string): Output => ({
    id,
    item: { type: 'function_call', id, call_id: ids('call'), name, arguments: input, status: 'completed' },
    deltas: pieces(input),
  })
  return [
    ...(text === '' ? [] : [said(ids('msg'))]),
    ...calls.map(({ name, input }) => called(ids('fc'), name, JSON.stringify(input))),
  ]
}

function outputEvents({ id, item, deltas }: Output, output_index: number) {
  const place = { item_id: id, output_index }
  const isText = item.type === 'message'
  const begun = isText
    ? { ...item, status: 'in_progress', content: [] }
    : { ...item, status: 'in_progress', arguments: '' }
  const type = isText ? 'response.output_text.delta' : 'response.function_call_arguments.delta'
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...deltas.map((delta) => ({ type, ...place, ...(isText ? { content_index: 0 } : {}), delta })),
    ...('arguments' in item
      ? [{ type: 'response.function_call_arguments.done', ...place, arguments: item.arguments }]
      : [{ type: 'response.output_text.done', ...place, content_index: 0, text: deltas.join('') }]),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function usageOf({ input, cacheRead, output }: TokenUsage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
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
