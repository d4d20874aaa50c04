import { type Answer, argumentsText, type Finish, finishOf } from '../brain.ts'
import type { Reply, WriteContext } from '../protocol.ts'
import { pieces, sse } from '../sse.ts'
import type { TokenUsage } from '../token-count.ts'

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
}

/** The answer as a chat completion is streamed. */
export function chatEvents(answer: Answer, usage: TokenUsage, { model, ids, usage: wanted }: WriteContext): string[] {
  const base = { id: ids('chatcmpl'), object: 'chat.completion.chunk', created: 1_700_000_000, model }
  const chunk = (delta: object, finish: string | null = null) =>
    sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }], usage: null })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(answer.reasoning ?? '').map((reasoning_content) => chunk({ reasoning_content })),
    ...pieces(answer.text ?? '').map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap(({ name, input }, index) => [
      chunk({ tool_calls: [{ index, id: ids('call'), type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(argumentsText(input)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, FINISH_REASONS[finishOf(answer)]),
    // The usage is sent only to a client that asks for it.
    ...(wanted ? [sse({ ...base, choices: [], usage: usageOf(usage) })] : []),
    sse('[DONE]'),
  ]
}

function usageOf({ input, cacheRead, output, reasoning }: TokenUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

export function chatErrorEvent(message: string): string {
  return sse({ error: { message, type: 'server_error', param: null, code: null } })
}

export function chatOverflow(tokens: number, window: number): Reply {
  const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
  return { kind: 'json', status: 400, body: { error } }
}
