import type { Entry, EntryOf, Seq } from '../../../model/types.ts'
import { messageTokens } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { isPossibleCount } from '../../../tokens/status.ts'
import { changesView } from '../view/activity.ts'

/** The entries that record how much they saved. */
export type SizedReduction = EntryOf<'compaction' | 'mask'>

/** The tokens before and after a reduction, both counted the same way. */
export type ReductionSizes = Pick<SizedReduction, 'tokensBefore' | 'tokensAfter' | 'drift'> & {
  /** Our estimate of the messages since. Absent if a provider has counted the rest, or can no longer count it. */
  readonly laterTokens?: number
}

/** The sizes in the log. The size after the reduction is an estimate. */
export function storedSizes({ tokensBefore, tokensAfter, drift }: SizedReduction): ReductionSizes {
  return { tokensBefore, tokensAfter, drift, laterTokens: 0 }
}

/** The sizes after one more entry: the first report of a provider replaces the estimated size after the reduction. */
export function sizesAfter(sizes: ReductionSizes, entry: Entry): ReductionSizes {
  const { laterTokens, ...known } = sizes
  if (laterTokens === undefined) return sizes
  if (changesView(entry) || (entry.type === 'settings' && entry.model !== undefined)) return known
  if (entry.type !== 'message') return sizes
  const { usage, message } = entry
  if (usage === undefined || usage.inputTokens === 0) {
    return { ...sizes, laterTokens: laterTokens + messageTokens(message, featureEstimator) }
  }
  const all = known.tokensAfter + laterTokens
  return isPossibleCount(usage.inputTokens, { least: all, all })
    ? recounted(known, usage.inputTokens - laterTokens)
    : known
}

/** If no provider had counted the context before, its estimated size is scaled by the report, too. */
function recounted({ tokensBefore, tokensAfter, drift }: ReductionSizes, counted: number): ReductionSizes {
  const after = Math.max(0, counted)
  const before = drift === undefined ? Math.round(tokensBefore * (after / Math.max(1, tokensAfter))) : tokensBefore
  return { tokensBefore: before, tokensAfter: after, drift }
}

/**
 * The sizes of every reduction in a log. A compaction stores the sizes of earlier reductions, so a log without the
 * replaced messages gives the same result.
 */
export function reductionSizes(log: readonly Entry[]): ReadonlyMap<Seq, ReductionSizes> {
  const all = new Map<Seq, ReductionSizes>()
  let last: Seq | undefined
  for (const entry of log) {
    const open = last === undefined ? undefined : all.get(last)
    if (last !== undefined && open !== undefined) all.set(last, sizesAfter(open, entry))
    if (entry.type !== 'compaction' && entry.type !== 'mask') continue
    for (const { of, ...stored } of entry.type === 'compaction' ? (entry.recounted ?? []) : []) all.set(of, stored)
    all.set(entry.seq, storedSizes(entry))
    last = entry.seq
  }
  return all
}

/**
 * The final sizes of the reductions since the last compaction of a log, for the next one to store. They include sizes that
 * a report did not change: without the replaced messages a later report would look like the first.
 */
export function recountedSince(log: readonly Entry[]): { of: Seq; tokensBefore: number; tokensAfter: number }[] {
  const from = Math.max(
    0,
    log.findLastIndex(({ type }) => type === 'compaction'),
  )
  const sizes = reductionSizes(log.slice(from))
  return log.slice(from).flatMap((entry) => {
    if (entry.type !== 'compaction' && entry.type !== 'mask') return []
    const { tokensBefore, tokensAfter, laterTokens } = sizes.get(entry.seq) ?? storedSizes(entry)
    return laterTokens === undefined ? [{ of: entry.seq, tokensBefore, tokensAfter }] : []
  })
}
