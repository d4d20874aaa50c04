import { type Answer, argumentsText, type ToolCall } from '../brain.ts'
import type { Ids } from '../protocol.ts'
import { signatureOf } from '../signature.ts'
import { pieces } from '../sse.ts'
import type { Item } from './body.ts'

type Event = { readonly type: string }

/** One item of an answer: what a client may refer to from now on, and what streams while it is made. */
export type Output = {
  readonly id: string
  readonly item: Item
  readonly begun: object
  readonly events: (place: object) => Event[]
}

/** The items of an answer, in the order in which a model makes them. */
export function outputsOf({ reasoning = '', text = '', calls = [] }: Answer, ids: Ids): Output[] {
  return [
    ...(reasoning === '' ? [] : [thought(ids('rs'), reasoning)]),
    ...(text === '' ? [] : [said(ids('msg'), text)]),
    ...calls.map((call) => (call.name === 'tool_search' ? searched(ids, call.input) : called(ids, call))),
  ]
}

function thought(id: string, text: string): Output {
  const item = { type: 'reasoning' as const, id, encrypted_content: signatureOf(text) }
  const summary = { summary_index: 0 }
  return {
    id,
    item: { ...item, summary: [{ type: 'summary_text' as const, text }] },
    begun: { ...item, summary: [] },
    events: (place) => [
      { type: 'response.reasoning_summary_part.added', ...place, ...summary },
      ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, ...summary, delta })),
      { type: 'response.reasoning_summary_part.done', ...place, ...summary },
    ],
  }
}

function said(id: string, text: string): Output {
  const item = { type: 'message' as const, id, role: 'assistant' as const }
  const place = { content_index: 0 }
  return {
    id,
    item: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
    begun: { ...item, status: 'in_progress', content: [] },
    events: (output) => [
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...output, ...place, delta })),
      { type: 'response.output_text.done', ...output, ...place, text },
    ],
  }
}

/** Codex's model looks for tools by an item of its own. */
function searched(ids: Ids, input: unknown): Output {
  const item = { type: 'tool_search_call' as const, id: ids('tsc'), call_id: ids('call'), execution: 'client' }
  return {
    id: item.id,
    item: { ...item, arguments: input, status: 'completed' },
    begun: { ...item, arguments: {}, status: 'in_progress' },
    events: () => [],
  }
}

function called(ids: Ids, { name, input: given, namespace }: ToolCall): Output {
  const input = argumentsText(given)
  const item = {
    type: 'function_call' as const,
    id: ids('fc'),
    call_id: ids('call'),
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }
  return {
    id: item.id,
    item: { ...item, arguments: input, status: 'completed' },
    begun: { ...item, arguments: '', status: 'in_progress' },
    events: (place) => [
      ...pieces(input).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, arguments: input },
    ],
  }
}
