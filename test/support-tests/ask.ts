import { jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import type { ModelServer, ProtocolName } from '../support/model-server/index.ts'
import { sdkModel } from '../support/model-server/sdk-model.ts'

const TOOLS = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
  }),
}

export const HELLO: ModelMessage[] = [{ role: 'user', content: 'Hello' }]

/** One call through the AI SDK, and all that came of it. */
export async function ask(
  server: ModelServer,
  protocol: ProtocolName,
  messages: ModelMessage[] = HELLO,
  more: { maxOutputTokens?: number; abortSignal?: AbortSignal; apiKey?: string } = {},
) {
  const { apiKey, ...settings } = more
  const errors: unknown[] = []
  const result = streamText({
    model: sdkModel(server, protocol, apiKey),
    instructions: 'You are a test.',
    messages,
    tools: TOOLS,
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...settings,
  })
  const parts: string[] = []
  try {
    for await (const part of result.fullStream) parts.push(part.type)
  } catch (error) {
    // Where a connection breaks, the stream does too.
    errors.push(error)
  }
  if (errors.length > 0) return { errors, parts }
  return {
    errors,
    parts,
    text: await result.text,
    reasoning: await result.reasoningText,
    calls: (await result.toolCalls).map(({ toolName, input }) => ({ toolName, input })),
    finish: await result.finishReason,
    usage: await result.usage,
    messages: (await result.response).messages,
  }
}
