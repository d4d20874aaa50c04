import type { LeftOut } from './compact-result.ts'
import type { Reason } from './entry.ts'
import type { Rung } from './policy/policy.ts'

/** A step of a compaction. Every layer passes these on as they are, up to the screen or to HTTP. */
export type CompactEvent =
  | {
      readonly type: 'start'
      readonly reason: Reason
      readonly tokens: number
      readonly messages: number
      /** The session was changed meanwhile: the compaction is planned anew. */
      readonly again?: true
      /** It comes earlier than else, because the provider has forgotten the last request anyway. */
      readonly cacheCold?: true
      /** What the preferred model will cost at most, in US dollars, where its prices are known. */
      readonly estimatedCost?: number
    }
  | { readonly type: 'rung'; readonly rung: Rung; readonly model?: string }
  | { readonly type: 'chunk'; readonly chunk: number; readonly of: number }
  /** A piece of the text that the model writes for this rung and chunk, in the order of the text. The last words may not be among them. */
  | { readonly type: 'text'; readonly text: string }
  /** The model failed and is asked again after a pause. */
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
