import { field } from '../../model/values.ts'

/** The facts in an error of the AI SDK or of a provider, whatever its shape. */
export type ErrorFacts = {
  readonly status?: number
  /** The provider's own message. */
  readonly message: string
  /** The whole body: to search for patterns, never for the user. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The code of a connection that failed, such as ECONNREFUSED. */
  readonly networkCode?: string
}

/** Reads an error. The SDK throws errors, but passes errors inside a stream on as plain data. */
export function factsOf(error: unknown): ErrorFacts {
  // The SDK does not expect this shape of error. Its content is more useful than the SDK's own message.
  const unexpected = field(field(error, 'value'), 'error')
  if (error instanceof Error && unexpected !== undefined) return factsOf(unexpected)
  const status = numberIn(error, 'statusCode') ?? numberIn(error, 'code') ?? numberIn(error, 'status')
  return {
    status: isStatus(status) ? status : undefined,
    message: inBody(field(error, 'responseBody')) ?? messageOf(error),
    body: bodyOf(error),
    headers: headersOf(field(error, 'responseHeaders')),
    networkCode: networkCodeOf(error),
  }
}

/** The message in a body. The SDK knows one shape of error for each provider; there are more. */
function inBody(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    const candidates = [field(field(parsed, 'error'), 'message'), field(parsed, 'message'), field(parsed, 'error')]
    return candidates.find((text) => typeof text === 'string' && text !== '') as string | undefined
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  const message = field(error, 'message')
  const nested = field(error, 'error')
  if (typeof message === 'string' && message !== '') return message
  if (nested !== undefined) return messageOf(nested)
  return textOf(error)
}

function bodyOf(error: unknown): string {
  const body = field(error, 'responseBody')
  if (typeof body === 'string') return body
  const data = field(error, 'data')
  if (data !== undefined) return textOf(data)
  return error instanceof Error ? '' : textOf(error)
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  } catch {
    return ''
  }
}

function headersOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]))
}

function networkCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const code = field(cause, 'code')
    if (typeof code === 'string' && /^(E[A-Z]{3,}|UND_ERR_\w+|CERT_\w+|\w*_SSL_\w*)$/.test(code)) return code
    if (cause instanceof TypeError && /terminated|fetch failed/i.test(cause.message)) return 'terminated'
    const several = field(cause, 'errors')
    // A host with several addresses fails once for each address.
    if (Array.isArray(several) && several.length > 0) return networkCodeOf(several[0])
  }
  // A call of the SDK that failed without a status got no answer.
  return field(error, 'name') === 'AI_APICallError' && field(error, 'statusCode') === undefined ? 'failed' : undefined
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = field(value, name)
  if (typeof found === 'number') return found
  return typeof found === 'string' && /^\d{3}$/.test(found) ? Number(found) : undefined
}

function isStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 300 && status < 600
}
