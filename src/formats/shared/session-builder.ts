import type { Entry } from '../../model/entry.ts'
import type { ReadDeps } from './format.ts'
import { LogBuilder } from './log-builder.ts'

/** A conversation in the same file that is not part of the main view: a sub-agent's, or one more session. */
export type Sidechain = { readonly id: string; readonly title?: string; readonly entries: readonly Entry[] }

type TreeLine = { readonly line: number; readonly queuedAt?: number }

/** Collects what a reader finds in a file: the log, the facts of the session, and the conversations beside it. */
export class SessionBuilder {
  readonly log: LogBuilder
  readonly facts: {
    version?: string
    sessionId?: string
    title?: string
    workspace?: string
    startedAt?: number
    /** The context window that the agent worked with, where it says so: the last one, in tokens. */
    window?: number
    /** The session that this one was forked from. */
    forkedFrom?: string
  } = {}
  readonly sidechains: Sidechain[] = []
  /** The lines that stand on branches which were left. */
  readonly leftLines = new Set<number>()

  constructor({ seal }: ReadDeps = {}) {
    this.log = new LogBuilder(seal)
  }

  /** Notes which lines of a tree are not on its active branch. */
  leaveOut(all: readonly TreeLine[], active: readonly TreeLine[]): void {
    for (const { line, queuedAt = line } of all) this.leftLines.add(queuedAt)
    for (const { line, queuedAt = line } of active) this.leftLines.delete(queuedAt)
  }
}
