import type { IncomingHttpHeaders } from 'node:http'
import type { Policy } from '../../model/policy/policy.ts'
import type { ModelInfo, Usage } from '../../model/types.ts'
import type { SessionId } from '../../store/store.ts'
import { budgetOf } from '../../tokens/budget.ts'
import type { ChainStep, ClientRequest, FaceRequest } from '../faces/face.ts'
import type { SummaryTry } from '../recording/bill.ts'
import type { Place, SessionEnd } from '../recording/session-ends.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** The modes that users can choose. */
export const MODE_NAMES = ['observe', 'answer', 'rewrite'] as const
export type ModeName = (typeof MODE_NAMES)[number]

/** A request in progress. Each function does its work once, when it is first called. */
export type Exchange = {
  readonly client: ClientRequest
  readonly upstream: Upstream
  /** The request, parsed; undefined when it does not ask for an answer, or has an unknown shape. */
  read(): Promise<FaceRequest | undefined>
  /** Parses another body for the same request. */
  readAs(body: Buffer): FaceRequest | undefined
  /**
   * The place of its conversation in the store, after its new messages were appended. A mode that reads the request in
   * another way, without the directive that asks for a compaction, must pass `read` before anybody else calls this.
   */
  place(read?: FaceRequest): Promise<Place | undefined>
  /** The end of the session that a conversation continues, if this gateway wrote it. Nothing is appended. */
  endBefore(chain: readonly ChainStep[]): Promise<SessionEnd | undefined>
  /** The place of a conversation that the client quotes as one text. */
  transcriptPlace(transcript: string): Promise<Place | undefined>
  /** Sends another body with the client's own headers and key, and waits for the answer. */
  ask(body: Buffer, options?: AskOptions): Promise<AskedAnswer>
  /** From now on the client gets this sign of life from time to time, until there is a decision. Only for an answer that streams. */
  keepAlive(signOfLife: string): void
}

/** The answer to a request of ours. */
export type AskedAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Why it broke off. */
  readonly fault?: unknown
}

export type AskOptions = {
  readonly path?: string
  /** Breaks the request off; without it the request ends when the client goes away. */
  readonly signal?: AbortSignal
  /** How long the provider may send nothing. */
  readonly silenceMs?: number
}

/** A provider's response that refuses the request. */
export type ProviderRefusal = { readonly status: number; readonly text: string }

/** A body that is sent after a refusal. Its `why` replaces the decision's. */
export type SecondTry = {
  readonly body: Buffer
  readonly why: string
  readonly compacts?: boolean
  readonly summaryTry?: SummaryTry
}

/** The decision about a request. `pith gateway status` shows its `why`. */
export type Decision =
  | {
      readonly kind: 'forward'
      readonly why: string
      /** Sent instead of the client's body. */
      readonly body?: Buffer
      /** The session was compacted for it. */
      readonly compacts?: boolean
      readonly summaryTry?: SummaryTry
      /** The model of a request that cannot be shortened in time, because its window is not known. */
      readonly unknownWindow?: string
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
      /** The provider's count, if it was asked for a part of the answer. */
      readonly usage?: Usage
      readonly summaryTry?: SummaryTry
    }

/** The decision about a request without a history. If the provider has the rest of it, there is nothing that Pith could replace. */
export function unchangedWithoutHistory(read: FaceRequest | undefined): Decision | undefined {
  if (read?.continues !== undefined)
    return { kind: 'forward', why: 'forwarded: it has only the new turn, the provider has the rest' }
  return read?.isOneText ? { kind: 'forward', why: 'forwarded: its input is one text' } : undefined
}

/** Decides about requests. When a mode fails or takes too long, the client's own bytes are forwarded. */
export type Mode = {
  readonly name: ModeName
  decide(exchange: Exchange, signal: AbortSignal): Promise<Decision>
}

/** The system prompt and the tools of an agent have about 20,000 tokens. */
const FIXED_TOKENS = 20_000

/**
 * The number of tokens at which the agent shall compact by itself if its user wants Pith's trigger. In `rewrite` Pith
 * compacts: with the same trigger, an agent with a long prompt would compact before Pith does. `observe` changes nothing.
 */
export function agentTrigger(mode: ModeName, policy: Pick<Policy, 'mode' | 'triggerMaxTokens'>): number | undefined {
  if (mode !== 'answer' || policy.mode !== 'auto' || policy.triggerMaxTokens === undefined) return undefined
  return policy.triggerMaxTokens + FIXED_TOKENS
}

/** About how many tokens a request has when Pith compacts in `rewrite`. Undefined if the window decides that and is not known. */
export function rewriteTrigger(policy: Policy, { contextWindow, maxInput }: Partial<ModelInfo>): number | undefined {
  if (policy.mode !== 'auto') return undefined
  return budgetOf(policy, contextWindow, maxInput, FIXED_TOKENS).trigger
}
