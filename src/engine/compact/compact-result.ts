import type { Entry, Reason } from '../../model/entry.ts'
import type { Message } from '../../model/message.ts'
import type { Rung } from '../../model/policy.ts'
import type { Usage } from '../../model/usage.ts'
import type { View } from '../../model/view.ts'
import type { SkipReason } from '../report/skip.ts'

/** What came of a compaction, for any user interface to render. When nothing was compacted the context is as it was. */
export type CompactResult = {
  readonly outcome: 'compacted' | 'skipped' | 'failed' | 'cancelled'
  readonly compacted: boolean
  /** Why it ran, or in the user's words why it did not come about. */
  readonly reason: Reason | string
  readonly skip?: SkipReason
  /** The messages of the view, a summary in the role that its preset gives it. */
  readonly messages: readonly Message[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly messagesRemoved: number
  readonly summary: string
  /** How many messages of the earlier view stand before the cut; 0 when nothing was cut. */
  readonly cut: number
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
  readonly rung?: Rung
  readonly model?: string
  readonly usage?: Usage
  readonly cost?: number
  /** Names in the summary that its source does not contain. */
  readonly flagged?: readonly string[]
  /** What is to be appended to the log, whatever the outcome. */
  readonly entries: readonly Entry[]
  readonly view: View
}
