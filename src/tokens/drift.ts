import type { Drift } from '../model/entry.ts'

/** A context as its provider and as we count it. */
type TwoCounts = {
  readonly counted: number
  readonly estimated: number
  /** Our estimate of the system prompt and the tools, which is a part of `estimated`; 0 where they are not known. */
  readonly fixed: number
  readonly model?: string | undefined
}

/**
 * How a provider counts a context compared with our estimate. Where the prompt and the tools are not known, what it counted
 * beyond the estimate is theirs: no compaction takes it away. Else both count the same, and the estimate is scaled.
 */
export function driftOf({ counted, estimated, fixed, model }: TwoCounts): Drift {
  const beyond = Math.round(counted - estimated)
  if (fixed === 0 && beyond > 0) return { factor: 1, unseen: beyond, model }
  const factor = counted / Math.max(1, estimated)
  return { factor, ...(fixed === 0 ? {} : { unseen: Math.round(fixed * factor) }), model }
}

/** Our estimate of a context as its provider would count it. The prompt and the tools are added where `fixed` does not know them. */
export function correctedTokens(estimated: number, fixed: number, drift: Drift | undefined): number {
  return Math.round(estimated * (drift?.factor ?? 1)) + (fixed === 0 ? (drift?.unseen ?? 0) : 0)
}
