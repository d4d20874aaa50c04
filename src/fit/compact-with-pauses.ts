import { type CompactInput, compact } from '../engine/compact/compact.ts'
import type { CompactResult } from '../model/compact-result.ts'
import { pauses } from './pauses.ts'

/**
 * Compacts a log: decides, climbs the ladder, accepts only a context that is better, and returns the entries to append.
 * It writes nothing itself. Only the outcome `compacted` changes the view.
 * The rest of the process runs meanwhile: it pauses every few milliseconds.
 *
 * @example
 * ```ts
 * import { compact, logOf } from 'pith'
 *
 * const log = logOf(messages)
 * const result = await compact({ log, model: { contextWindow: 200_000 } })
 * const longer = [...log, ...result.entries] // store these: the log is all there is
 * ```
 */
export function compactWithPauses(input: CompactInput): Promise<CompactResult> {
  return compact({ pause: pauses(), ...input })
}
