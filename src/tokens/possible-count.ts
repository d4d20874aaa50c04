/** The sizes that a provider's count is compared with. */
export type SeenTokens = {
  /** Our estimate of the text that the provider must have counted. */
  readonly least: number
  /** Our estimate of everything that we know about the request. */
  readonly all: number
  readonly window?: number
}

/** In recorded sessions, providers that count honestly went down to 0.8 of our estimate. */
export const LEAST_SHARE = 0.7
/** Smaller requests prove nothing, and no window is small enough for them to exceed it. */
const LEAST_TOKENS = 3_000
/** Images, hidden prompts and the provider's own tools make a count larger than everything we see, but not by this much. */
const MOST_FACTOR = 4
const MOST_HIDDEN = 50_000
/** A request that was answered did fit the window. A count above it is wrong, unless the window that we know is wrong. */
const MOST_FACTOR_OVER_WINDOW = 2

/** False for a count that cannot be right: the text alone has more tokens, or the request has far fewer. */
export function isPossibleCount(
  reported: number,
  { least, all, window = Number.POSITIVE_INFINITY }: SeenTokens,
): boolean {
  if (least >= LEAST_TOKENS && reported < least * LEAST_SHARE) return false
  if (reported > all * MOST_FACTOR + MOST_HIDDEN) return false
  return reported <= window || reported <= all * MOST_FACTOR_OVER_WINDOW
}

/** A shorter text may cost almost nothing. */
const LEAST_GROWTH = 100

/** False if a count has grown by much less than the text that was added. */
export function isPossibleGrowth(reported: number, seen: number): boolean {
  return seen < LEAST_GROWTH || reported >= seen * LEAST_SHARE_OF_GROWTH
}

/** Providers send calls and results in other words than ours, which matters more in a small part of a request. */
const LEAST_SHARE_OF_GROWTH = 0.5
