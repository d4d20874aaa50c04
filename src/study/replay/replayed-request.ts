import type { Seq } from '../../model/ids.ts'
import type { Rung } from '../../model/policy/policy.ts'
import type { Usage } from '../../model/provider/usage.ts'

/** One request as it would have been. `input` contains what was read from the cache and what was written to it. */
export type ReplayedRequest = {
  /** The answer's entry in the log that is replayed. */
  readonly seq: Seq
  readonly at: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** In US dollars; absent where the prices are not known. */
  readonly cost?: number
  /** Why the provider had nothing or less in its cache than it was sent before. */
  readonly lost?: 'expired' | 'broken'
  /** The compaction right before the request. */
  readonly compacted?: ReplayedCompaction
}

/** What a replay did before a request, and what it cost. */
export type ReplayedCompaction = {
  readonly rung: Rung
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The summarising call; absent for a rung that asks no model. */
  readonly call?: Usage
  readonly cost?: number
}
