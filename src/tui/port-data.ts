import type { TurnEnd } from '../agent/events.ts'
import type { ContextPart } from '../engine/report/context-parts.ts'
import type { Outcome } from '../engine/report/outcome.ts'
import type { CompactEvent } from '../model/compact-event.ts'
import type { Entry, Reason } from '../model/entry.ts'
import type { Status } from '../tokens/status.ts'

/** What came of something the user asked for: `text` is one line for them, empty when nothing need be said. */
export type Done = { readonly ok: boolean; readonly text: string }

/** For this session only, or for good. */
export type Scope = 'session' | 'user'

export type SessionInfo = { readonly id: string; readonly title?: string; readonly workspace: string }

/** What a screen shows of a session when it is opened. */
export type Opened = {
  readonly session: SessionInfo
  /** `provider/model`. */
  readonly model: string
  /** Why no model can be asked, in one line that says what to set. */
  readonly noModel?: string
  readonly permissions: string
  readonly status: Status
  /** From this share of the window on, `/compact` is suggested; 0 never is. */
  readonly suggestPercent: number
  /** In US dollars so far; absent when a price is not known. */
  readonly cost?: number
  /** What the user should know before they go on. */
  readonly notices?: readonly string[]
  /** The newest entries of the log, in its order. */
  readonly entries: readonly Entry[]
  /** How many messages come before those. */
  readonly earlier: number
  /** Nothing was ever done here, and nothing is configured. */
  readonly firstRun: boolean
}

/** Something only the user can decide. */
export type Question = PermissionQuestion | CompactionQuestion

export type PermissionQuestion = {
  readonly kind: 'permission'
  readonly id: string
  readonly action: 'read' | 'edit' | 'command'
  /** The path or the command. */
  readonly target: string
  readonly outside: boolean
  readonly diff?: string
  /** What `always` and `never` would remember; absent where no rule can say it. */
  readonly rule?: string
}

export type CompactionQuestion = { readonly kind: 'compaction'; readonly id: string; readonly preview: PreviewReport }

export type Answer =
  | { readonly kind: 'once' | 'always' | 'never' }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'compact'; readonly focus?: string }
  | { readonly kind: 'later' | 'off' }

/** Everything that happens in the open session. */
export type PortEvent =
  | { readonly type: 'opened'; readonly opened: Opened }
  | { readonly type: 'turn-started' }
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool-input'; readonly toolName: string }
  | { readonly type: 'answer-void'; readonly reason: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly reason: string }
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'tool-started' | 'tool-output'; readonly toolCallId: string; readonly text: string }
  | { readonly type: 'compaction'; readonly automatic: boolean; readonly event: CompactEvent }
  | { readonly type: 'compaction-ended'; readonly automatic: boolean; readonly result: Outcome }
  | { readonly type: 'status'; readonly status: Status; readonly cost?: number; readonly suggestPercent: number }
  | { readonly type: 'model'; readonly model: string; readonly noModel?: string }
  | { readonly type: 'permissions'; readonly mode: string }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'notice'; readonly text: string; readonly tone?: 'error' }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'question-closed'; readonly id: string }
  | { readonly type: 'turn-ended'; readonly reason: TurnEnd['reason']; readonly text: string }

/** What a compaction would do now. */
export type PreviewReport =
  | { readonly kind: 'keep'; readonly reason: string; readonly tokens: number }
  | {
      readonly kind: 'compact'
      readonly tokens: number
      readonly messages: number
      readonly spanTokens: number
      readonly keptMessages: number
      readonly estimatedCost?: number
    }

export type ContextReport = {
  readonly model: string
  readonly status: Status
  /** They add up to the tokens of the status. */
  readonly parts: readonly ContextPart[]
  readonly reserve: number
  readonly largest: readonly { readonly name: string; readonly tokens: number }[]
  readonly policy: PolicyReport
  /** When the next automatic compaction comes, in one line. */
  readonly next: string
}

export type PolicyReport = {
  readonly preset: string
  readonly values: readonly { readonly key: string; readonly value: string; readonly source: string }[]
}

export type SummaryReport = {
  readonly seq: number
  readonly text: string
  readonly messages: number
  readonly reason: Reason
  readonly flagged: readonly string[]
}

export type RecallHit = { readonly seq: number; readonly type: string; readonly text: string }

export type ModelRow = {
  readonly name: string
  readonly window?: number
  /** US dollars for a million tokens. */
  readonly inputPrice?: number
  readonly outputPrice?: number
  readonly usable: boolean
  readonly why?: string
}

export type SessionRow = {
  readonly id: string
  readonly title?: string
  readonly workspace: string
  readonly updatedAt: number
  readonly entries: number
  readonly fork: boolean
}
