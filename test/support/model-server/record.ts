import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './brain.ts'
import type { Fault } from './fault.ts'
import type { ModelRequest, ProtocolName } from './model-request.ts'
import type { TokenUsage } from './token-count.ts'

/** A request as it came, and what became of it. */
export type RequestRecord = {
  /** 1, 2, 3 … in the order of arrival, retries included. */
  readonly number: number
  /** In milliseconds since 1970. */
  readonly at: number
  readonly path: string
  readonly protocol: ProtocolName
  readonly headers: IncomingHttpHeaders
  body: unknown
  /** The SHA-256 of its bytes. */
  digest: string
  /** Missing when the body is not of the provider's shape. */
  request?: ModelRequest
  /** The tokens of the whole request, whether it was answered or not. */
  tokens: number
  summarising: boolean
  outcome: 'pending' | 'answered' | 'invalid' | 'overflow' | 'unauthorized' | Fault['fault']
  /** The answer and its usage, when all of it was sent. */
  answer?: Answer
  usage?: TokenUsage
  /** True when the client went away before the end, or was made to. */
  aborted: boolean
}

/** A request that a real provider would have refused. */
export type Violation = { readonly number: number; readonly protocol: ProtocolName; readonly problem: string }
