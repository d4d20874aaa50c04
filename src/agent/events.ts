import type { ModelFailure } from '../llm/failure/model-failure.ts'
import type { CompactEvent, UnchangedContext } from '../model/compact-result.ts'
import type { Entry, Seq, Usage } from '../model/types.ts'
import type { SessionCompactResult } from '../session/compaction/compact-session.ts'
import type { Status } from '../tokens/status.ts'
import type { PermissionRequest } from './tool.ts'

/** The end of a turn. `text` is one line for the user, empty if all is well. */
export type TurnEnd = {
  readonly reason: 'done' | 'aborted' | 'failed' | 'refused' | 'step-limit' | 'context-limit'
  readonly text: string
  /** The model's last text. */
  readonly answer: string
  readonly steps: number
  readonly usage?: Usage
  /** In US dollars, compactions included; absent when a price is not known. */
  readonly cost?: number
}

/** The result of a compaction, or the refusal of a hook. */
export type CompactNowResult = SessionCompactResult | (UnchangedContext & { readonly outcome: 'refused' })

/** The events with which a user interface shows what an agent does. */
export type AgentEvent =
  | { readonly type: 'turn-started' }
  | { readonly type: 'step-started'; readonly step: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-input'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly failure: ModelFailure }
  /** The streamed part of this answer is void: the stream broke off, and the request is sent again. */
  | { readonly type: 'answer-void'; readonly failure: ModelFailure }
  | { readonly type: 'entry'; readonly entry: Entry }
  | {
      readonly type: 'tool-started'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly request?: PermissionRequest
    }
  | { readonly type: 'tool-output'; readonly toolCallId: string; readonly text: string }
  | {
      readonly type: 'tool-finished'
      readonly toolCallId: string
      readonly toolName: string
      readonly seq: Seq
      readonly text: string
      readonly isError: boolean
    }
  | { readonly type: 'compaction'; readonly automatic: boolean; readonly event: CompactEvent }
  | { readonly type: 'compaction-ended'; readonly automatic: boolean; readonly result: CompactNowResult }
  /** How full the context is, after each change. */
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'turn-ended'; readonly end: TurnEnd }
