import type { Budget } from '../../tokens/budget.ts'
import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import type { Context } from '../context/context.ts'
import type { OverFacts } from '../report/change-text.ts'
import { pinnedTokens } from './kept-items.ts'

/** The most tokens of a rebuilt request: `target` without the unread, `limit` in all. `unread` is the room for the unread. */
export type Bounds = { readonly target: number; readonly limit: number; readonly unread: number }

export type BoundsInput = {
  readonly budget: Pick<Budget, 'target' | 'limit' | 'ceiling' | 'user'>
  readonly fixedTokens: number
  /** The fixed parts and an empty record. */
  readonly recordTokens: number
  /** The user's first and latest message, which are removed last of all. */
  readonly wordTokens: number
  /** The calls of the last step, which are removed last, too. */
  readonly stepTokens: number
  readonly unreadTokens: number
}

/** If the unread does not fit, everything else gets this share of the room that the fixed parts leave below the limit. */
const READ_SHARE = 1 / 8
/** A record gets at least this share in addition to the parts that are removed last. */
const RECORD_SHARE = 1 / 16
/** The handles of the unread get at least this share. */
const HANDLE_SHARE = 1 / 32

/**
 * The bounds to try, the best first: the unread whole and the rest within the target; the unread whole and the rest within
 * the limit; the unread squeezed. Then the same up to the ceiling. A target without room for the user's words comes last,
 * because reaching it would cost some of those words.
 */
export function boundsOf(input: BoundsInput): Bounds[] {
  const { target = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY, ceiling = limit } = input.budget
  const all = [limit, ...(ceiling === limit ? [] : [ceiling])].flatMap((most) => boundsWithin(input, most))
  if (hasRoom(input, target)) return all
  return [...all.filter((one) => one.target !== target), ...all.filter((one) => one.target === target)]
}

function boundsWithin(input: BoundsInput, limit: number): Bounds[] {
  const { budget, recordTokens, fixedTokens, unreadTokens } = input
  const target = budget.target ?? Number.POSITIVE_INFINITY
  const lastTokens = input.wordTokens + input.stepTokens
  const free = Math.max(0, limit - fixedTokens)
  // After a refusal the user's words may take all of the room. Otherwise the unread gets at least half.
  const least = recordTokens + Math.min(lastTokens, budget.user === undefined ? free / 2 : free)
  const whole = limit - unreadTokens
  const wholes = [...new Set([Math.min(target, whole), whole])]
    // The plan has to prove that the target is reached. Here we only make sure that the unread leaves room for the parts that are removed last.
    .filter((most) => most === target || most >= least)
    .map((most) => ({ target: most, limit, unread: unreadTokens }))
  if (unreadTokens === 0 || limit === Number.POSITIVE_INFINITY) return wholes
  const wanted = Math.max(least + free * RECORD_SHARE, fixedTokens + free * READ_SHARE)
  const read = Math.ceil(Math.min(wanted, limit - free * HANDLE_SHARE))
  const most = target >= least ? Math.min(target, read) : read
  const squeezed = { target: most, limit, unread: Math.min(unreadTokens, limit - most) }
  // After a refusal the handles become as short as possible before any word of the user is removed.
  const isShort = budget.user !== undefined && most < least && least < limit
  return isShort ? [...wholes, { target: least, limit, unread: limit - least }, squeezed] : [...wholes, squeezed]
}

/**
 * The bounds to try before words of the user are removed: the unread gets half of the room that the fixed parts leave below
 * the limit, or only `shortestTokens`, so that the calls and words before it fit, within the target if possible.
 */
export function tightBounds(input: BoundsInput, shortestTokens: number): Bounds[] {
  const { target = Number.POSITIVE_INFINITY, limit } = input.budget
  if (input.unreadTokens === 0 || limit === undefined) return []
  const half = Math.floor((limit - input.fixedTokens) / 2)
  const all = [half, shortestTokens]
    .filter((unread) => unread >= shortestTokens)
    .map((unread) => ({ target: limit - unread, limit, unread }))
  const lower = hasRoom(input, target) ? all.map((one) => ({ ...one, target: Math.min(target, one.target) })) : []
  return [...lower, ...all]
}

/** True if a record with the user's words can be within a target. */
function hasRoom({ recordTokens, wordTokens }: BoundsInput, target: number): boolean {
  return recordTokens + wordTokens <= target
}

/**
 * The tokens to aim for within the bounds, without the unread. The model will have read the unread by the next time, so the
 * rest makes room for it, up to half of its own room, where the next compaction would otherwise follow at once.
 */
export function aimWithin(
  { target, unread }: Bounds,
  fixedTokens: number,
  { trigger = Number.POSITIVE_INFINITY, growth }: Pick<Budget, 'trigger' | 'growth'>,
): number {
  const least = fixedTokens + Math.floor((target - fixedTokens) / 2)
  return Math.min(target, Math.max(least, trigger - growth - unread))
}

/** The bound that a request exceeds, if any: the limit applies to all of it, the target to everything except the unread. */
export function excessOf(
  tokens: number,
  unreadTokens: number,
  { target, limit }: Pick<Bounds, 'target' | 'limit'>,
): OverFacts | undefined {
  const read = tokens - unreadTokens
  if (read > target) return { over: 'target', tokens: read, most: target }
  return tokens > limit ? { over: 'limit', tokens, most: limit } : undefined
}

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
export function putBackExcess(
  stepTokens: number,
  { tokens, limit, floor, target }: PutBackRoom,
): OverFacts | undefined {
  if (tokens + stepTokens > limit) return { over: 'limit', tokens: tokens + stepTokens, most: limit }
  return floor + stepTokens > target ? { over: 'target', tokens: floor + stepTokens, most: target } : undefined
}
