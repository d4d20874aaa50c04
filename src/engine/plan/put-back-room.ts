import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import type { Context } from '../context/context.ts'
import type { Excess } from './bounds.ts'
import { pinnedTokens } from './pinned.ts'

/** The bounds for a message that is put back. */
export type PutBackRoom = {
  /** The tokens of the whole request now, and the most that it may have. */
  readonly tokens: number
  readonly limit: number
  /** The tokens that no compaction removes, including pinned messages, and the target of a compaction. */
  readonly floor: number
  readonly target: number
}

export function putBackRoom(context: Context, tokens: number): PutBackRoom {
  const { limit = Number.POSITIVE_INFINITY, target = Number.POSITIVE_INFINITY } = context.budget
  const fixedTokens = sumOfFixed(context.fixed.own)
  const floor = fixedTokens + pinnedTokens(context.view, context.sizes)
  return { tokens, limit, floor, target: Math.max(target, fixedTokens) }
}

/**
 * The bound that a message would exceed, if any. Pinned messages may not fill the target: otherwise the next compaction would
 * have nothing to remove.
 */
export function putBackExcess(stepTokens: number, { tokens, limit, floor, target }: PutBackRoom): Excess | undefined {
  if (tokens + stepTokens > limit) return { over: 'limit', tokens: tokens + stepTokens, most: limit }
  return floor + stepTokens > target ? { over: 'target', tokens: floor + stepTokens, most: target } : undefined
}
