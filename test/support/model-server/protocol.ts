import type { Answer } from './brain.ts'
import type { ModelRequest, ProtocolName } from './model-request.ts'
import type { Segment, TokenUsage } from './token-count.ts'

/** A body in two forms: what the brain sees and what is counted; with all that the provider would refuse it for. */
export type Reading = {
  readonly request: ModelRequest
  readonly segments: readonly Segment[]
  readonly problems: readonly string[]
  /** All that the provider itself takes, and other servers of its protocol refuse; this one does, too. */
  readonly oddities?: readonly string[]
  /** Requests share a prompt cache only when this is the same. */
  readonly cacheKey: string
  /** The wishes of the client besides the answer. */
  readonly asks?: Asks
}

/** `usage`: at the end of the stream (chat). `stores`: items to refer to later (Responses). */
export type Asks = { readonly usage?: boolean; readonly stores?: boolean }

/** The things that an answer is written with. */
export type WriteContext = Asks & { readonly model: string; readonly ids: Ids }

/** A whole response, or one that streams. `endMs`: how long the stream stays open after its last event. */
export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'stream'; readonly events: readonly string[]; readonly endMs?: number }

export type ErrorKind = 'invalid' | 'auth' | 'rate-limit' | 'server' | 'overloaded'

/** The ids that an answer's items get: unique over requests and servers, and always of one length. */
export type Ids = (prefix: string) => string

/** One wire format: requests in, real answers and real errors out. */
export type Protocol = {
  readonly name: ProtocolName
  readonly matches: (path: string) => boolean
  readonly read: (body: unknown, path: string) => Reading
  readonly events: (answer: Answer, usage: TokenUsage, context: WriteContext) => readonly string[]
  readonly error: (kind: ErrorKind, message: string) => Reply
  /** An error that comes inside of a stream that has begun. */
  readonly errorEvent: (message: string) => string
  readonly overflow: (tokens: number, window: number) => Reply
}
