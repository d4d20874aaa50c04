import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { WireWork } from '../../contract/shapes/shapes.ts'
import { type ErrorCode, PithError } from '../../model/problems/errors.ts'

/** A refusal with its status. The message is one line for the caller. */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly running: WireWork | undefined
  /** With 429: when to try again. */
  readonly retryAfterSeconds: number

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    running?: WireWork,
    options?: ErrorOptions & { readonly retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 1
    this.status = status
    this.code = code
    this.running = running
  }
}

/** The status of each of our errors. An error that is not the caller's fault is a 5xx without details. */
const STATUSES: Readonly<Partial<Record<ErrorCode, ContentfulStatusCode>>> = {
  'bad-message': 400,
  'bad-entry': 400,
  'bad-policy': 400,
  'bad-argument': 400,
  'bad-undo': 409,
  'other-body': 422,
  'unknown-model': 400,
  'unknown-session': 404,
  'unknown-entry': 404,
  'not-allowed': 403,
  'no-model': 409,
  'store-newer': 503,
  'store-damaged': 503,
  'store-unwritable': 503,
  'store-full': 503,
  'store-unanswered': 503,
}

/** For a request that may have been done. The first steps of some requests are done when a later one fails. */
const SEND_AGAIN =
  'send it again with the same Idempotency-Key, and it is done once; without a key, look first whether it was done'

/** An error as the caller may see it: without stack and internals. `method`: that of the request. */
export function shownError(error: unknown, method = 'GET'): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof PithError) {
    const status = STATUSES[error.code] ?? 500
    if (status < 500) return new HttpError(status, error.code, error.message)
    if (status === 503) return new HttpError(503, error.code, storeText(error.code, method))
  }
  return new HttpError(500, 'internal', 'something went wrong in the server: its log has the request id')
}

/** The problem with the store, and what to do. The message of the error itself names places of the server, so it is not shown. */
function storeText(code: ErrorCode, method: string): string {
  if (code === 'store-full') return 'the disk of the store is full: send the request again when there is space'
  if (code === 'store-unanswered')
    return `the database did not answer, so it is not known whether this was stored: ${SEND_AGAIN}`
  return `the store cannot be used now: ${method === 'GET' ? 'try again later' : `later ${SEND_AGAIN}`}`
}

/** The caller of a request. It does not contain the secret of the token. */
export type Caller = {
  /** The name of the token. */
  readonly name: string
  /** The owner of the sessions that the caller sees. */
  readonly owner: string
  readonly access: 'read' | 'write'
  /** The caller may make, change and remove tokens. */
  readonly isAdmin: boolean
  /** The hash of the token. */
  readonly token: string
  /** The only session that the caller sees: it came by a link to it. */
  readonly session?: string
  /** False once the token was removed or has expired, or the browser was signed out. */
  readonly isKnown: () => boolean
}

/** The most bytes of a body, and the server's setting with this limit, if there is one. */
export type BodyLimit = { readonly bytes: number; readonly setting?: string }

/** The variables that the middleware sets on a request. */
export type RequestEnv = {
  /** Of the server that listens; there is none in a test without a port. */
  Bindings: { outgoing?: { destroy(): unknown } } | undefined
  Variables: { caller: Caller; requestId: string; route: string; bodyLimit: BodyLimit }
}

/**
 * Answers requests of the Model Context Protocol at `/mcp`. The program that starts the server provides it, because its SDK is
 * not a dependency of the package.
 */
export type McpRoute = {
  readonly answer: (request: Request, caller: Caller) => Promise<Response>
  readonly close: () => Promise<void>
}
