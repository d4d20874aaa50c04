import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import type { Context } from '../context/context.ts'
import type { Excess } from './bounds.ts'
import { pinnedTokens } from './pinned.ts'

/** What a message that is put back has to fit into. */
export type PutBackRoom = {
  /** The whole request now, and the most that it may have. */
  readonly tokens: number
  readonly limit: number
  /** What no compaction takes out, pinned messages among it, and what a compaction aims at. */
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
 * The bound that a message would exceed, if any. What is pinned may not fill the target: else the next compaction would
 * have nothing to take out.
 */
export function putBackExcess(stepTokens: number, { tokens, limit, floor, target }: PutBackRoom): Excess | undefined {
  if (tokens + stepTokens > limit) return { over: 'limit', tokens: tokens + stepTokens, most: limit }
  return floor + stepTokens > target ? { over: 'target', tokens: floor + stepTokens, most: target } : undefined
}
