import { parseArguments, parseBody } from '../bad-body.ts'
import type { Part, RequestMessage } from '../model-request.ts'
import { onlyStreams } from '../only-streams.ts'
import type { Reading } from '../protocol.ts'
import { contentText, type Item, isFunction, isMessage, isSystem, type ResponsesBody, responsesBody } from './body.ts'
import { responsesOddities, responsesProblems } from './validate.ts'

/** Reads a request of the Responses API; `stored` has the items of earlier answers, which a client may refer to. */
export function readResponses(value: unknown, stored: ReadonlyMap<string, Item>): Reading {
  const body = parseBody(responsesBody, value)
  const items = body.input.map((item) => (item.type === 'item_reference' ? (stored.get(item.id) ?? item) : item))
  const maxOutputTokens = body.max_output_tokens ?? undefined
  return {
    request: {
      protocol: 'responses',
      model: body.model,
      system: systemOf(body, items),
      messages: messagesOf(items.filter((item) => !isSystem(item))),
      tools: (body.tools ?? []).filter(isFunction).map(({ name, description, parameters }) => ({
        name,
        description: description ?? '',
        inputSchema: parameters,
      })),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    segments: [...(body.tools ?? []), body.instructions ?? '', ...items.map(withoutId)].map((part) => ({
      text: part === '' ? '' : JSON.stringify(part),
    })),
    problems: responsesProblems(body, items),
    oddities: [...onlyStreams(body), ...responsesOddities(body, items)],
    cacheKey: `${body.model} ${body.prompt_cache_key ?? ''}`,
    asks: { stores: body.store !== false },
  }
}

function systemOf({ instructions }: ResponsesBody, items: readonly Item[]): string {
  const texts = items.flatMap((item) => (isMessage(item) && isSystem(item) ? [contentText(item.content)] : []))
  return [...(instructions ? [instructions] : []), ...texts].join('\n\n')
}

/** The model never sees an item's id. */
function withoutId(item: Item): Item {
  return 'id' in item && item.type !== 'item_reference' ? { ...item, id: undefined } : item
}

/** Items of one side in a row are the parts of one message. */
function messagesOf(items: readonly Item[]): RequestMessage[] {
  const names = new Map<string, string>()
  const messages: RequestMessage[] = []
  for (const item of items) {
    const next = messageOf(item, names)
    const last = messages.at(-1)
    if (next === undefined) continue
    if (next.role !== 'user' && last?.role === next.role) {
      messages[messages.length - 1] = { role: next.role, parts: [...last.parts, ...next.parts] }
    } else messages.push(next)
  }
  return messages
}

function messageOf(item: Item, names: Map<string, string>): RequestMessage | undefined {
  if (isMessage(item)) {
    const text = contentText(item.content)
    const parts: Part[] = text === '' ? [] : [{ type: 'text', text }]
    return { role: item.role === 'assistant' ? 'assistant' : 'user', parts }
  }
  if (item.type === 'function_call') {
    const { call_id: id, name } = item
    names.set(id, name)
    return { role: 'assistant', parts: [{ type: 'tool-call', id, name, input: parseArguments(item.arguments) }] }
  }
  if (item.type !== 'function_call_output') return undefined
  const { call_id: id, output } = item
  const result: Part = { type: 'tool-result', id, name: names.get(id) ?? '', text: contentText(output), isError: false }
  return { role: 'tool', parts: [result] }
}
