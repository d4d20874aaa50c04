import type { Budget } from '../../tokens/budget.ts'

/** The most tokens of a rebuilt request: `target` less the unread, `limit` in all. `unread` is the room for the unread. */
export type Bounds = { readonly target: number; readonly limit: number; readonly unread: number }

export type BoundsInput = {
  readonly budget: Pick<Budget, 'target' | 'limit' | 'ceiling' | 'user'>
  readonly fixedTokens: number
  /** The fixed parts and an empty record. */
  readonly recordTokens: number
  /** What goes last of all: the user's first and latest message … */
  readonly wordTokens: number
  /** … and the calls of the last step. */
  readonly stepTokens: number
  readonly unreadTokens: number
}

/** Where the unread does not fit, everything else has this share of what the fixed parts leave of the limit … */
const READ_SHARE = 1 / 8
/** … and a record has at least this share beside what goes last of all. */
const RECORD_SHARE = 1 / 16
/** The handles of the unread have at least this share. */
const HANDLE_SHARE = 1 / 32

/**
 * The bounds to try, the best first: the unread whole and the rest within the target; the unread whole and the rest within
 * the limit; the unread squeezed. Then the same up to the ceiling. A target without room for the user's words comes last:
 * to reach it they would have to give way.
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
  // After a refusal the words may take all of it, else the unread has at least half.
  const least = recordTokens + Math.min(lastTokens, budget.user === undefined ? free / 2 : free)
  const whole = limit - unreadTokens
  const wholes = [...new Set([Math.min(target, whole), whole])]
    // The target is for the plan to prove; only the unread may not take what goes last of all.
    .filter((most) => most === target || most >= least)
    .map((most) => ({ target: most, limit, unread: unreadTokens }))
  if (unreadTokens === 0 || limit === Number.POSITIVE_INFINITY) return wholes
  const wanted = Math.max(least + free * RECORD_SHARE, fixedTokens + free * READ_SHARE)
  const read = Math.ceil(Math.min(wanted, limit - free * HANDLE_SHARE))
  const most = target >= least ? Math.min(target, read) : read
  const squeezed = { target: most, limit, unread: Math.min(unreadTokens, limit - most) }
  // After a refusal the handles are as short as can be before a word of the user goes.
  const isShort = budget.user !== undefined && most < least && least < limit
  return isShort ? [...wholes, { target: least, limit, unread: limit - least }, squeezed] : [...wholes, squeezed]
}

/**
 * The bounds to try before words of the user give way: the unread has half of what the fixed parts leave of the limit, or
 * only `shortestTokens`, so that the calls and words before it fit, within the target if they can.
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

/** True when a record with the user's words can be within a target. */
function hasRoom({ recordTokens, wordTokens }: BoundsInput, target: number): boolean {
  return recordTokens + wordTokens <= target
}

/**
 * The tokens to aim at within the bounds, less the unread. The unread will have been read by the next time, so the rest
 * makes room for it, down to half of what the target leaves it: else the next compaction would follow at once.
 */
export function aimWithin({ target, unread }: Bounds, fixedTokens: number): number {
  return Math.max(target - unread, fixedTokens + Math.floor((target - fixedTokens) / 2))
}

/** The bound that a request exceeds, and by how many tokens it is compared with it. */
export type Excess = { readonly over: 'target' | 'limit'; readonly tokens: number; readonly most: number }

/** The bound that a request exceeds, if any: the limit compares all of it, the target all but the unread. */
export function excessOf(
  tokens: number,
  unreadTokens: number,
  { target, limit }: Pick<Bounds, 'target' | 'limit'>,
): Excess | undefined {
  const read = tokens - unreadTokens
  if (read > target) return { over: 'target', tokens: read, most: target }
  return tokens > limit ? { over: 'limit', tokens, most: limit } : undefined
}
