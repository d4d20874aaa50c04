import { toAnthropic } from '../../../src/formats/anthropic/write.ts'
import { toOpenAIChat } from '../../../src/formats/openai-chat/write.ts'
import { toOpenAIResponses } from '../../../src/formats/openai-responses/write.ts'
import type { FaceName } from '../../../src/gateway/faces/face.ts'
import { faceNamed } from '../../../src/gateway/faces/read-request.ts'
import {
  type AssistantPart,
  callsOf,
  type Message,
  partsOf,
  type ToolResultPart,
  textOf,
} from '../../../src/model/types.ts'
import { call } from './world.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }

/** An agent that never compacts: it sends its whole history with every request, in the form of a face. */
export class FakeAgent {
  readonly history: Message[] = []
  /** The arguments of a call as the agent sends them back. */
  ran: (input: unknown) => unknown = (input) => input
  readonly #face: FaceName
  readonly #url: () => string
  readonly #resultOf: (step: number) => string
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    face: FaceName,
    url: string | (() => string),
    resultOf: (step: number) => string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#headers = headers
    this.#face = face
    this.#url = typeof url === 'string' ? () => url : url
    this.#resultOf = resultOf
  }

  /** Says something, and runs tools until the model calls none. Returns the model's last words. */
  async turn(words: string): Promise<string> {
    this.history.push({ role: 'user', content: words })
    for (;;) {
      const answer = withInputs(await this.#ask(), this.ran)
      this.history.push(answer)
      const calls = callsOf(answer)
      if (calls.length === 0) return textOf(answer)
      for (const { toolCallId, toolName } of calls) {
        const value = this.#resultOf(this.history.length)
        this.history.push({
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
        })
      }
    }
  }

  async #ask(): Promise<Message> {
    const { path, body } = requestFor(this.#face, this.history)
    const reply = await call(this.#url() + path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...this.#headers },
    })
    const answer = faceNamed(this.#face).answerOf(String(reply.body), this.history.length)
    if (reply.status !== 200 || answer?.message === undefined) throw new Error(`${reply.status}: ${reply.body}`)
    return answer.message
  }
}

function withInputs(answer: Message, ran: (input: unknown) => unknown): Message {
  const parts = partsOf(answer).map((part) => (part.type === 'tool-call' ? { ...part, input: ran(part.input) } : part))
  return { ...answer, content: parts } as Message
}

/** The request that has a history, in the form of a face. */
export function requestFor(
  face: FaceName,
  history: readonly Message[],
): { path: string; body: Record<string, unknown> } {
  const tool = { name: 'read', description: 'Reads a file' }
  switch (face) {
    case 'anthropic':
      return {
        path: '/v1/messages',
        body: {
          model: 'm',
          max_tokens: 1_000,
          stream: true,
          tools: [{ ...tool, input_schema: schema }],
          messages: toAnthropic(history).messages,
        },
      }
    case 'openai-chat':
      return {
        path: '/v1/chat/completions',
        body: {
          model: 'm',
          stream: true,
          stream_options: { include_usage: true },
          tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
          messages: [{ role: 'system', content: 'Be brief.' }, ...toOpenAIChat(history)],
        },
      }
    case 'openai-responses':
      return {
        path: '/v1/responses',
        body: {
          model: 'm',
          stream: true,
          store: false,
          tools: [{ type: 'function', ...tool, parameters: schema }],
          input: toOpenAIResponses(history),
        },
      }
    case 'gemini':
      return {
        path: '/v1beta/models/m:streamGenerateContent?alt=sse',
        body: { tools: [{ functionDeclarations: [{ ...tool, parameters: schema }] }], contents: contentsOf(history) },
      }
  }
}

function contentsOf(history: readonly Message[]): unknown[] {
  const contents: { role: string; parts: unknown[] }[] = []
  for (const message of history) {
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = (partsOf(message) as readonly (AssistantPart | ToolResultPart)[]).flatMap((part): unknown[] => {
      if (part.type === 'text') return [{ text: part.text }]
      if (part.type === 'tool-call') return [{ functionCall: { name: part.toolName, args: part.input } }]
      if (part.type === 'tool-result')
        return [
          {
            functionResponse: {
              name: part.toolName,
              response: { output: part.output.type === 'text' ? part.output.value : '' },
            },
          },
        ]
      return []
    })
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return contents
}
