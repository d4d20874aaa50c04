import type { ErrorKind, Reply } from './protocol.ts'

const ERRORS: Readonly<Record<ErrorKind, { status: number; type: string; code: string | null }>> = {
  invalid: { status: 400, type: 'invalid_request_error', code: null },
  auth: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  'rate-limit': { status: 429, type: 'requests', code: 'rate_limit_exceeded' },
  server: { status: 500, type: 'server_error', code: null },
  overloaded: { status: 503, type: 'server_error', code: 'server_is_overloaded' },
}

/** An error as OpenAI words it, in both of its protocols. */
export function openaiError(kind: ErrorKind, message: string): Reply {
  const { status, type, code } = ERRORS[kind]
  return { kind: 'json', status, body: { error: { message, type, param: null, code } } }
}
