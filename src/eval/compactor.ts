import type { Message } from '../model/types.ts'

/** The input of a compactor. */
export type CompactRequest = {
  /** The conversation as the model last saw it, in the form of the AI SDK (`ModelMessage`). */
  readonly messages: readonly Message[]
  /** The window of the model, and the tokens that may be left. */
  readonly windowTokens: number
  readonly targetTokens: number
  /** The part of `targetTokens` for the messages at the end that the model has not answered yet. */
  readonly unreadTokens: number
  /** The session by a hash, which says nothing of it, and the number of its compaction, from 1 on. */
  readonly session: string
  readonly round: number
}

/** The output of a compactor: the messages that the model sees from now on, and the tokens that its own model calls took, if it counts them. */
export type CompactAnswer = {
  readonly messages: readonly Message[]
  /** JSON that its own recall gets back, beside the messages of the session. */
  readonly state?: unknown
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

/** The whole log of a session up to its last compaction, and the state that this one returned. */
export type RecallAbout = { readonly session: string; readonly messages: readonly Message[]; readonly state?: unknown }

/** Any way to make a conversation short. */
export type Compactor = {
  readonly name: string
  /** The text that its settings and code are known by in a report: a hash of its file, or its command. */
  readonly from: string
  /** True if it has no target to keep. */
  readonly ignoresTarget?: boolean
  compact(request: CompactRequest, signal: AbortSignal): Promise<CompactAnswer>
  /** Its own look-up of what is no longer in the context, if it has one. */
  recall?(asked: string, about: RecallAbout): Promise<string>
}
