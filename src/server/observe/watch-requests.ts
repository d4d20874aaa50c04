import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { AgentEvent } from '../../agent/agent.ts'
import { outcomeText } from '../../engine/report/outcome.ts'
import { printableJson } from '../../model/text.ts'
import type { RequestEnv } from '../http/http-error.ts'
import type { Metrics } from './metrics.ts'

/** A line of the request log. No field holds a secret: no query, no header, no body. */
export type RequestLine = {
  readonly at: string
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly token?: string
  /** The error that caused a 5xx, for the operator of the server. */
  readonly error?: string
}

/** Where requests are counted and logged. */
export type RequestWatch = { readonly metrics: Metrics; readonly log?: (line: ServerLine) => void }

/** Gives every request an id, counts it and logs it. */
export function watchRequests(watch: RequestWatch): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomUUID()
    context.set('requestId', id)
    context.header('x-request-id', id)
    await next()
    const { status } = context.res
    const { method, path } = context.req
    noteRequest(watch, context.get('route') ?? 'other', started, {
      id,
      method,
      path,
      status,
      token: context.get('caller')?.name,
      error: status >= 500 && context.error !== undefined ? stackOf(context.error) : undefined,
    })
  }
}

/** Counts and logs a request that has been answered. */
export function noteRequest(
  { metrics, log }: RequestWatch,
  route: string,
  started: number,
  line: Omit<RequestLine, 'at' | 'ms'>,
): void {
  const { method, status } = line
  const ms = performance.now() - started
  metrics.add('pith_requests_total', { method, route, status: String(status) })
  metrics.time('pith_request_seconds', { route }, ms / 1_000)
  log?.({ at: new Date().toISOString(), ms: Math.round(ms * 10) / 10, ...line })
}

/** A line of the server's log about something that went wrong in the gateway of a token. It has no secret. */
export type GatewayFault = { readonly at: string; readonly gateway: string; readonly error: string }

/** A line of the server's log for sessions that retention has deleted, or why it could not. */
export type RetentionLine = {
  readonly at: string
  readonly retention: 'deleted' | 'failed'
  readonly sessions?: number
  readonly entries?: number
  readonly bytes?: number
  /** The sessions of which forks keep entries. */
  readonly kept_for_forks?: readonly { readonly session: string; readonly entries: number }[]
  /** How many are left for the next time, because the server was stopped. */
  readonly left?: number
  readonly error?: string
}

/** A line of the server's log. */
export type ServerLine = RequestLine | CompactionLine | GatewayFault | RetentionLine

/** The stack of an error and of those that caused it. */
function stackOf(error: Error): string {
  const stack = String(error.stack ?? error)
  return error.cause instanceof Error ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack
}

/** Writes a line of JSON to standard error. */
export function logToStandardError(line: object): void {
  process.stderr.write(`${printableJson(line)}\n`)
}

/** A line of the server's log for an automatic compaction. It has no text of the conversation. */
export type CompactionLine = {
  readonly at: string
  readonly session: string
  readonly compaction: 'automatic'
  readonly outcome: string
  readonly text: string
  readonly tokens_before: number
  readonly tokens_after: number
}

type CompactionEnd = Extract<AgentEvent, { type: 'compaction-ended' }>

/** The line for the end of an automatic compaction. A requested one has none, because its request has a line. */
export function compactionLine(session: string, { automatic, result }: CompactionEnd): CompactionLine | undefined {
  if (!automatic) return undefined
  const { outcome, tokensBefore, tokensAfter } = result
  return {
    at: new Date().toISOString(),
    session,
    compaction: 'automatic',
    outcome,
    text: outcomeText(result),
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
  }
}
