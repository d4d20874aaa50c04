import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import type { ModelInfo } from '../model/provider/model-info.ts'

/** A session that the tools can answer from, not read yet. */
export type FoundSession = {
  readonly id: string
  /** The agent that writes it. */
  readonly agent: string
  /** Reads it as it is now: its agent may still be writing. */
  readonly read: () => Promise<SessionLog>
  /** The record that a compaction would leave now; undefined while there is nothing to compact. */
  readonly record: () => Promise<string | undefined>
  /** Keeps a message; true when it had to be put back. Absent where the session is a file of its agent: Pith never writes there. */
  readonly pin?: (seq: Seq) => Promise<boolean>
  /** Lets a pinned message go; absent as `pin` is. */
  readonly unpin?: (seq: Seq) => Promise<void>
}

export type SessionLog = {
  readonly title?: string
  readonly entries: readonly Entry[]
  readonly model: Partial<ModelInfo>
  readonly system: string
  /** The policy that compacts it; absent where its agent decides. */
  readonly policy?: PolicyPatch
}

/** The session that an answer is about, and why this one. */
export type ChosenSession = { readonly session: FoundSession; readonly why: string }

export const SCOPES = ['session', 'folder', 'everything'] as const
export type RecallScope = (typeof SCOPES)[number]

/** Where the tools get their sessions from. */
export type SessionFinder = {
  /** What answers call the wider scopes, where they are not those of this machine. */
  readonly places?: Readonly<Record<Exclude<RecallScope, 'session'>, string>>
  /** The session that the caller is in; undefined when there is none. */
  readonly current: () => Promise<ChosenSession | undefined>
  /** A session by the beginning of its id. */
  readonly named: (id: string) => Promise<FoundSession | undefined>
  /** The sessions of this folder, or all, the newest first. */
  readonly within: (scope: Exclude<RecallScope, 'session'>) => AsyncIterable<FoundSession>
}
