import type { Usage } from '../../model/provider/model-info.ts'
import type { SessionId } from '../../store/store.ts'
import type { ChainStep, ClientRequest, FaceRequest } from '../faces/face.ts'
import type { Place, SessionEnd } from '../recording/session-ends.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** The modes that users can choose. */
export const MODE_NAMES = ['observe', 'answer', 'rewrite'] as const
export type ModeName = (typeof MODE_NAMES)[number]

/** A request on its way. The functions do their work when they are first called, and once. */
export type Exchange = {
  readonly client: ClientRequest
  readonly upstream: Upstream
  /** The request, read; undefined when it is no request for an answer, or of a shape that nobody knows. */
  read(): Promise<FaceRequest | undefined>
  /** Another body of the same request, read. */
  readAs(body: Buffer): FaceRequest | undefined
  /**
   * Where its conversation is in the store. Its new messages are appended first. A mode that reads the request in another
   * way, without the words that only ask for a compaction, says so before anybody else asks.
   */
  place(read?: FaceRequest): Promise<Place | undefined>
  /** The end of the session that a conversation goes on from, if this gateway wrote it. Nothing is appended. */
  endBefore(chain: readonly ChainStep[]): Promise<SessionEnd | undefined>
  /** The place of a conversation that the client tells as one text. */
  toldPlace(told: string): Promise<Place | undefined>
  /** Sends another body in the place of the client's, with the client's own headers and key, and waits for the answer. */
  ask(body: Buffer, options?: AskOptions): Promise<{ readonly status: number; readonly text: string }>
}

/** `signal` breaks the request off; without it the request ends when the client goes away. */
export type AskOptions = { readonly path?: string; readonly signal?: AbortSignal }

/** An answer of the provider that is none. */
export type ProviderRefusal = { readonly status: number; readonly text: string }

/** A body that is sent after a refusal. `why` is told in the place of the decision's. */
export type SecondTry = { readonly body: Buffer; readonly why: string }

/** What is done with a request. `why` is told for each request. */
export type Decision =
  | {
      readonly kind: 'forward'
      readonly why: string
      /** Sent in the place of the client's body. */
      readonly body?: Buffer
      /** Asked when the provider refuses the request: one more try, if there is a better request. */
      readonly again?: (refusal: ProviderRefusal) => Promise<SecondTry | undefined>
      /** Called when the answer has ended and is recorded. Nobody waits for it. */
      readonly recorded?: () => Promise<void>
    }
  | {
      readonly kind: 'answer'
      readonly why: string
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      /** The session that the answer is about. */
      readonly session?: SessionId
      /** What the provider counted, where it was asked for a part of the answer. */
      readonly usage?: Usage
    }

/** Decides about requests. When it fails or takes too long, the client's own bytes are forwarded. */
export type Mode = {
  readonly name: ModeName
  decide(exchange: Exchange, signal: AbortSignal): Promise<Decision>
}
