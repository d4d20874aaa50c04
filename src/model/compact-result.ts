import type { Rung } from './policy/policy.ts'
import type { Entry, Message, Reason, Seq, Usage, View } from './types.ts'

/** The result of a compaction, for any user interface to render. Only `compacted` has changed the context. */
export type CompactResult = CompactedResult | UnchangedResult

export type CompactedResult = ResultContext & {
  readonly outcome: 'compacted'
  readonly compacted: true
  /** Why it ran. */
  readonly reason: Reason
  readonly rung: Rung
  /** Absent if old tool output was masked or an item shortened: then nothing was summarised, and nothing cut. */
  readonly summary?: string
  /** The number of messages of the earlier view before the cut. */
  readonly cut?: number
  readonly model?: string
  readonly usage?: Usage
  readonly cost?: number
  /** Why no model's summary was accepted, if one was asked and a lower rung was used. */
  readonly refusal?: string
  /** Names in the summary that its source does not contain. */
  readonly flagged?: readonly string[]
  readonly leftOut?: LeftOut
}

/** Tokens that the model has not read and does not get because they do not fit, and the entries that have them. */
export type LeftOut = { readonly tokens: number; readonly seqs: readonly Seq[] }

export type UnchangedResult = UnchangedContext &
  ({ readonly outcome: 'skipped'; readonly skip: SkipReason } | { readonly outcome: 'failed' | 'cancelled' })

export type UnchangedContext = ResultContext & {
  readonly compacted: false
  /** Why nothing was compacted, as a sentence for the user. */
  readonly reason: string
}

/** The context after the compaction. */
export type ResultContext = {
  /** The messages of the view. A summary has the role that its preset gives it. */
  readonly messages: readonly Message[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The number of messages of the earlier view that are gone, including those that a repair drops; an earlier record counts as one. */
  readonly messagesRemoved: number
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
  /** The entries to append to the log, whatever the outcome is. */
  readonly entries: readonly Entry[]
  readonly view: View
}

/** Why a compaction does not happen. A skip is a value that a user interface can show, not an error. */
export type SkipReason =
  | 'empty'
  | 'automatic-off'
  | 'breaker-open'
  | 'window-unknown'
  | 'under-trigger'
  | 'not-grown'
  | 'pending-tool-calls'
  | 'too-short'
  | 'no-legal-cut'
  | 'nothing-new'
  | 'nothing-to-gain'
  | 'floor-too-large'

/** A step of a compaction. Every layer passes these on unchanged, up to the screen or to HTTP. */
export type CompactEvent =
  | {
      readonly type: 'start'
      readonly reason: Reason
      readonly tokens: number
      readonly messages: number
      /** The session was changed meanwhile: the compaction is planned again. */
      readonly again?: true
      /** It runs earlier than usual, because the provider has forgotten the last request anyway. */
      readonly cacheCold?: true
      /** The highest cost of the preferred model in US dollars, if its prices are known. */
      readonly estimatedCost?: number
    }
  | { readonly type: 'rung'; readonly rung: Rung; readonly model?: string }
  | { readonly type: 'chunk'; readonly chunk: number; readonly of: number }
  /** A piece of the text that the model writes for this rung and chunk, in the order of the text. The last words may be missing. */
  | { readonly type: 'text'; readonly text: string }
  /** The model failed and will be asked again after a pause. */
  | { readonly type: 'retry'; readonly inMs: number; readonly reason: string }
  | { readonly type: 'refused'; readonly rung: Rung; readonly model?: string; readonly reason: string }
  | {
      readonly type: 'done'
      readonly rung: Rung
      readonly model?: string
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly cost?: number
      readonly leftOut?: LeftOut
    }
