import type { Entry } from '../model/types.ts'
import type { FormatName } from './formats.ts'
import type { PromptCheck } from './shared/format.ts'
import type { Counts, Issue, RecordedCompaction, Sidechain } from './shared/log-builder.ts'

/** A session of another agent as a log of ours: `viewOf(entries)` has the messages that the agent's model saw. */
export type DecodedSession = {
  readonly format: FormatName
  readonly agent: string
  readonly version?: string
  readonly sessionId?: string
  readonly title?: string
  readonly workspace?: string
  readonly startedAt?: number
  /** The context window that the agent worked with, if the file names it: the last one, in tokens. */
  readonly window?: number
  /** The words with which a provider refused requests, if they have sizes. */
  readonly refusals?: readonly string[]
  /** The session that this one was forked from. */
  readonly forkedFrom?: string
  /** Another agent or a script gave the orders in it, so that no message is the user's own. */
  readonly isDelegated?: boolean
  /** The address of the repository that it worked in. */
  readonly repository?: string
  /** Models in the order of their first use. */
  readonly models: readonly string[]
  /** System and developer instructions: they are not part of the conversation. */
  readonly system: readonly string[]
  readonly entries: readonly Entry[]
  readonly compactions: readonly RecordedCompaction[]
  readonly sidechains: readonly Sidechain[]
  readonly issues: readonly Issue[]
  /** The one of the issues that says that the file ends in the middle of a line or of a document, if it does. */
  readonly cut?: Issue | undefined
  readonly counts: Counts
  /** Whether every prompt in the file reached the log; absent for formats that nobody types into. */
  readonly prompts?: PromptCheck
}

/** A session, or the reason why there is none. A file that is not a session gives a failure, not an exception. */
export type DecodeResult = { readonly ok: true; readonly session: DecodedSession } | DecodeFailure

/** Why a file cannot be read as a session. */
export type DecodeFailure = {
  readonly ok: false
  readonly reason: 'empty' | 'binary' | 'too-large' | 'broken' | 'unknown-format' | 'no-messages'
  readonly text: string
}
