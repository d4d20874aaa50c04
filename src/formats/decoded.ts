import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { Format } from './format.ts'

/** Something in the file that could not be read or does not fit; the rest was read. Lines count from 1; 0 is the file. */
export type Issue = { readonly line: number; readonly reason: string }

/** A compaction that the agent itself recorded. `seq` is that of its entry in the log. */
export type RecordedCompaction = {
  readonly seq: Seq
  readonly summary: string
  readonly tokensBefore?: number
  readonly trigger?: 'auto' | 'manual'
}

/** A conversation in the same file that is not part of the main view: a sub-agent's, or one more session. */
export type Sidechain = { readonly id: string; readonly title?: string; readonly entries: readonly Entry[] }

/** How much there is. The log leaves out what is on no active branch, was never sent, or is empty. */
export type Counts = {
  readonly lines: number
  readonly issues: number
  /** Messages and tool calls as the file records them, abandoned branches and sub-agents included. */
  readonly recordedMessages: number
  readonly recordedCalls: number
  /** Messages, tool calls and results in the log. */
  readonly messages: number
  readonly calls: number
  readonly results: number
}

/** A session of another agent as a log of ours: `viewOf(entries)` is what that agent's model saw. */
export type Decoded = {
  readonly format: Format
  readonly agent: string
  readonly version?: string
  readonly sessionId?: string
  readonly title?: string
  readonly workspace?: string
  readonly startedAt?: number
  /** The session that this one was forked from. */
  readonly forkedFrom?: string
  /** Models in the order of their first use. */
  readonly models: readonly string[]
  /** System and developer instructions: they are no part of the conversation. */
  readonly system: readonly string[]
  readonly entries: readonly Entry[]
  readonly compactions: readonly RecordedCompaction[]
  readonly sidechains: readonly Sidechain[]
  readonly issues: readonly Issue[]
  readonly counts: Counts
}

/** What reading came to. A file that is no session is an answer, not an exception. */
export type DecodeResult =
  | { readonly ok: true; readonly session: Decoded }
  | {
      readonly ok: false
      readonly reason: 'empty' | 'binary' | 'too-large' | 'broken' | 'unknown-format' | 'no-messages'
      readonly text: string
    }
