import { parseArguments, parseBody } from '../bad-body.ts'
import type { Part, RequestMessage } from '../model-request.ts'
import { onlyStreams } from '../only-streams.ts'
import type { Reading } from '../protocol.ts'
import { type ChatBody, type ChatMessage, chatBody, contentText } from './body.ts'
import { chatOddities, chatProblems } from './validate.ts'

/** Reads a request for a chat completion. */
export function readChat(value: unknown): Reading {
  const body = parseBody(chatBody, value)
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens
  return {
    request: {
      protocol: 'chat',
      model: body.model,
      system: body.messages
        .filter(isSystem)
        .map(({ content }) => contentText(content))
        .join('\n\n'),
      messages: messagesOf(body.messages),
      tools: toolsOf(body),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    segments: [...(body.tools ?? []), ...body.messages].map((part) => ({ text: JSON.stringify(part) })),
    problems: chatProblems(body),
    oddities: [...onlyStreams(body), ...chatOddities(body)],
    cacheKey: `${body.model} ${body.prompt_cache_key ?? ''}`,
    asks: { usage: body.stream_options?.include_usage === true },
  }
}

function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer'
}

function toolsOf({ tools = [] }: ChatBody) {
  return tools.map(({ function: { name, description = '', parameters } }) => ({
    name,
    description,
    inputSchema: parameters,
  }))
}

function messagesOf(messages: readonly ChatMessage[]): RequestMessage[] {
  const names = new Map<string, string>()
  const decoded: RequestMessage[] = []
  for (const message of messages.filter((each) => !isSystem(each))) {
    const next = messageOf(message, names)
    const last = decoded.at(-1)
    // Results of parallel calls are messages of their own there; here they are the parts of one.
    if (next.role === 'tool' && last?.role === 'tool') {
      decoded[decoded.length - 1] = { role: 'tool', parts: [...last.parts, ...next.parts] }
    } else decoded.push(next)
  }
  return decoded
}

function messageOf(message: ChatMessage, names: Map<string, string>): RequestMessage {
  const text = contentText(message.content)
  const texts: Part[] = text === '' ? [] : [{ type: 'text', text }]
  if (message.role === 'tool') {
    const { tool_call_id: id } = message
    return { role: 'tool', parts: [{ type: 'tool-result', id, name: names.get(id) ?? '', text, isError: false }] }
  }
  if (message.role !== 'assistant') return { role: 'user', parts: texts }
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }): Part => {
    names.set(id, name)
    return { type: 'tool-call', id, name, input: parseArguments(input) }
  })
  return { role: 'assistant', parts: [...texts, ...calls] }
}
