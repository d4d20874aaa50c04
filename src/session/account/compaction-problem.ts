import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'

/**
 * A compaction that went wrong. `failed`: an attempt came to nothing. `fell-back`: no summary of a model was taken, a rung below made
 * the record. `not-taken`: it was made and could not be committed.
 */
export type CompactionProblem = {
  readonly seq: Seq
  readonly at: number
  readonly kind: 'failed' | 'fell-back' | 'not-taken'
  readonly reason: string
}

const CHARACTERS = 300

/** The problem that an entry tells, if it tells one. Whoever cancels a compaction has none. */
export function problemIn(entry: Entry): CompactionProblem | undefined {
  const { seq, at } = entry
  if (entry.type === 'compaction' && entry.refusal !== undefined)
    return { seq, at, kind: 'fell-back', reason: entry.refusal.slice(0, CHARACTERS) }
  if (entry.type !== 'attempt' || entry.outcome === 'cancelled') return undefined
  const kind = entry.outcome === 'failed' ? 'failed' : 'not-taken'
  return { seq, at, kind, reason: entry.reason.slice(0, CHARACTERS) }
}
