import type {
  AssistantMessage,
  Message,
  ModelChunk,
  SummaryModel,
  SummaryRequest,
  ToolMessage,
  UserMessage,
} from '../../src/model/types.ts'

export function user(text: string): UserMessage {
  return { role: 'user', content: text }
}

export function assistant(text: string): AssistantMessage {
  return { role: 'assistant', content: text }
}

/** An assistant's message that calls a tool. */
export function call(id: string, toolName = 'read', input: unknown = { path: `${id}.ts` }): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] }
}

export function result(id: string, value = `output of ${id}`, toolName = 'read'): ToolMessage {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value } }] }
}

/** Turns of a user's question and an assistant's answer, each of about this many characters. */
export function turns(count: number, characters = 40): Message[] {
  return Array.from({ length: count }, (_, i) => [
    user(`question ${i} `.padEnd(characters, 'q')),
    assistant(`answer ${i} `.padEnd(characters, 'a')),
  ]).flat()
}

/** A model that answers every request with these chunks, and remembers what it was asked. */
export function modelSaying(...chunks: readonly ModelChunk[]): SummaryModel & { requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = []
  return {
    name: 'test/model',
    requests,
    async *stream(request) {
      requests.push(request)
      yield* chunks
    },
  }
}
