import { type Answer, type Finish, finishOf } from '../brain.ts'
import type { ErrorKind, Reply, WriteContext } from '../protocol.ts'
import { selfSigned } from '../signature.ts'
import { pieces, sse } from '../sse.ts'
import type { TokenUsage } from '../token-count.ts'

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
}

/** The answer as Gemini streams it. */
export function googleEvents(answer: Answer, usage: TokenUsage, { model, ids }: WriteContext): string[] {
  const base = { modelVersion: model, responseId: ids('resp') }
  const chunk = (parts: readonly object[], more: object = {}) =>
    sse({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
      ...base,
      usageMetadata: usageOf(usage),
    })
  return [
    ...pieces(answer.reasoning ?? '').map((text) => chunk([{ text, thought: true }])),
    ...pieces(answer.text ?? '').map((text) => chunk([{ text }])),
    ...(answer.calls ?? []).map(({ name, input }) =>
      chunk([{ functionCall: { id: ids('call'), name, args: input }, thoughtSignature: selfSigned(ids('thought')) }]),
    ),
    chunk([{ text: '' }], { finishReason: FINISH_REASONS[finishOf(answer)] }),
  ]
}

function usageOf({ input, cacheRead, output, reasoning }: TokenUsage) {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  }
}

const ERRORS: Readonly<Record<ErrorKind, { code: number; status: string }>> = {
  invalid: { code: 400, status: 'INVALID_ARGUMENT' },
  auth: { code: 401, status: 'UNAUTHENTICATED' },
  'rate-limit': { code: 429, status: 'RESOURCE_EXHAUSTED' },
  server: { code: 500, status: 'INTERNAL' },
  overloaded: { code: 503, status: 'UNAVAILABLE' },
}

export function googleError(kind: ErrorKind, message: string): Reply {
  const error = { message, ...ERRORS[kind] }
  return { kind: 'json', status: error.code, body: { error } }
}

export function googleErrorEvent(message: string): string {
  return sse({ error: { message, ...ERRORS.overloaded } })
}

export function googleOverflow(tokens: number, window: number): Reply {
  return googleError(
    'invalid',
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
  )
}
