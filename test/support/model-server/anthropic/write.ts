import { type Answer, argumentsText, type Finish, finishOf } from '../brain.ts'
import type { ErrorKind, Ids, Reply, WriteContext } from '../protocol.ts'
import { signatureOf } from '../signature.ts'
import { pieces, sse } from '../sse.ts'
import type { TokenUsage } from '../token-count.ts'

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
}

/** The answer as the Messages API streams it. */
export function anthropicEvents(answer: Answer, usage: TokenUsage, { model, ids }: WriteContext) {
  const texts = (answer.text ?? '') === '' ? [] : [answer.text ?? '']
  const thoughts = (answer.reasoning ?? '') === '' ? [] : [answer.reasoning ?? '']
  const blocks = [
    ...thoughts.map((thinking) => ({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: signatureOf(thinking) },
      ],
    })),
    ...texts.map((text) => ({
      start: { type: 'text', text: '' },
      deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
    })),
    ...(answer.calls ?? []).map(({ name, input }) => ({
      start: { type: 'tool_use', id: ids('toolu'), name, input: {} },
      deltas: pieces(argumentsText(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ]
  return [
    event('message_start', { message: startOf(usage, model, ids) }),
    event('ping', {}),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: STOP_REASONS[finishOf(answer)], stop_sequence: null },
      usage: { output_tokens: usage.output, output_tokens_details: { thinking_tokens: usage.reasoning } },
    }),
    event('message_stop', {}),
  ]
}

function startOf({ input, cacheRead, cacheWrite }: TokenUsage, model: string, ids: Ids) {
  return {
    id: ids('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cacheRead - cacheWrite,
      cache_creation_input_tokens: cacheWrite,
      cache_read_input_tokens: cacheRead,
      output_tokens: 1,
    },
  }
}

const ERRORS: Readonly<Record<ErrorKind, { status: number; type: string }>> = {
  invalid: { status: 400, type: 'invalid_request_error' },
  auth: { status: 401, type: 'authentication_error' },
  'rate-limit': { status: 429, type: 'rate_limit_error' },
  server: { status: 500, type: 'api_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
}

export function anthropicError(kind: ErrorKind, message: string): Reply {
  const { status, type } = ERRORS[kind]
  return { kind: 'json', status, body: { type: 'error', error: { type, message } } }
}

export function anthropicErrorEvent(message: string): string {
  return event('error', { error: { type: 'overloaded_error', message } })
}

export function anthropicOverflow(tokens: number, window: number): Reply {
  return anthropicError('invalid', `prompt is too long: ${tokens} tokens > ${window} maximum`)
}

function event(type: string, data: object): string {
  return sse({ type, ...data }, type)
}
