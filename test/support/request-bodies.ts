import type { ProtocolName, RequestRecord } from './model-server/index.ts'

/** The conversation in a body that a server received, without the moving cache marks. */
export function conversationIn({ body, protocol }: RequestRecord): unknown[] {
  const { messages, input, contents } = withoutMarks(body) as Record<string, unknown[]>
  const named: Record<ProtocolName, unknown[] | undefined> = {
    anthropic: messages,
    chat: messages,
    responses: input,
    google: contents,
  }
  return named[protocol] ?? []
}

/** All of a body that comes before the conversation: system prompt and tools. */
export function frontOf({ body }: RequestRecord): unknown {
  const { system, tools, tool_choice, tool_config, instructions, systemInstruction } = withoutMarks(body) as Record<
    string,
    unknown
  >
  return { system, tools, tool_choice, tool_config, instructions, systemInstruction }
}

function withoutMarks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)))
}
