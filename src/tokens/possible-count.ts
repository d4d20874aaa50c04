/** The sizes that a provider's count is compared with. */
export type SeenTokens = {
  /** Our estimate of the text that the provider must have counted. */
  readonly least: number
  /** Our estimate of all that we know of the request. */
  readonly all: number
  readonly window?: number
}

/** Providers that count honestly came down to 0.8 of our estimate in recorded sessions. */
export const LEAST_SHARE = 0.7
/** Smaller requests prove nothing, and no window is so small that they could exceed it. */
const LEAST_TOKENS = 3_000
/** Images, hidden prompts and tools of the provider make a count larger than all that we see, but not by this much. */
const MOST_FACTOR = 4
const MOST_HIDDEN = 50_000
/** A request that was answered fitted the window. A count above it is wrong, unless the window that we know is. */
const MOST_FACTOR_OVER_WINDOW = 2

/** False for a count that cannot be one of what we see: the text alone has more tokens, or it has nowhere near as many. */
export function isPossibleCount(
  reported: number,
  { least, all, window = Number.POSITIVE_INFINITY }: SeenTokens,
): boolean {
  if (least >= LEAST_TOKENS && reported < least * LEAST_SHARE) return false
  if (reported > all * MOST_FACTOR + MOST_HIDDEN) return false
  return reported <= window || reported <= all * MOST_FACTOR_OVER_WINDOW
}

/** Less text than this may cost next to nothing. */
const LEAST_GROWTH = 100

/** False when a count has grown by much less than the text that was added. */
export function isPossibleGrowth(reported: number, seen: number): boolean {
  return seen < LEAST_GROWTH || reported >= seen * LEAST_SHARE_OF_GROWTH
}

/** Calls and results are sent in other words than ours, which tells more in a small part of a request. */
const LEAST_SHARE_OF_GROWTH = 0.5
