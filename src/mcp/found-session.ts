import type { PolicyPatch } from '../model/policy/policy.ts'
import type { Entry, ModelInfo, Seq } from '../model/types.ts'

/** A session that the tools can answer from, not read yet. */
export type FoundSession = {
  readonly id: string
  /** The agent that writes it. */
  readonly agent: string
  /** Reads its current state: its agent may still be writing. */
  readonly read: () => Promise<SessionLog>
  /** The record that a compaction would leave now; undefined while there is nothing to compact. */
  readonly record: () => Promise<string | undefined>
  /** Pins a message; true if it had to be put back. Absent if the session is a file of its agent: Pith never writes to those. */
  readonly pin?: (seq: Seq) => Promise<boolean>
  /** Unpins a message; absent together with `pin`. */
  readonly unpin?: (seq: Seq) => Promise<void>
}

export type SessionLog = {
  readonly title?: string
  readonly entries: readonly Entry[]
  readonly model: Partial<ModelInfo>
  readonly system: string
  /** The policy that compacts it; absent if its agent decides. */
  readonly policy?: PolicyPatch
}

/** The session that an answer is about, and why it was chosen. */
export type ChosenSession = { readonly session: FoundSession; readonly why: string }

export const SCOPES = ['session', 'folder', 'everything'] as const
export type RecallScope = (typeof SCOPES)[number]

/** Finds the sessions for the tools. */
export type SessionFinder = {
  /** The names of the wider scopes in answers, if the sessions are not on this machine. */
  readonly places?: Readonly<Record<Exclude<RecallScope, 'session'>, string>>
  /** The session that the caller is in; undefined when there is none. */
  readonly current: () => Promise<ChosenSession | undefined>
  /** A session by the beginning of its id. */
  readonly named: (id: string) => Promise<FoundSession | undefined>
  /** The sessions of this folder, or all, the newest first. */
  readonly within: (scope: Exclude<RecallScope, 'session'>) => AsyncIterable<FoundSession>
}
