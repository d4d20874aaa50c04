/** A request that the provider refused as too large, by our own count, and the sizes that it named. */
export type RefusedRequest = {
  /** The window that we believed in until then. */
  readonly window?: number
  readonly sentTokens: number
  /** The smallest request that still has the user's first and latest words whole. */
  readonly wordTokens: number
  /** The provider's own count of the request, and its window. */
  readonly tokens?: number
  readonly limit?: number
}

/** Anything smaller than a refused request may fit. */
const SMALLER = 0.9
/** A request has at most so much of its window: the rest is the room for a short answer. */
const MOST_OF_WINDOW = 15 / 16
const LEAST_WINDOW = 1_000
/** A provider that has counted more than this for each of our tokens speaks of another request. */
const MOST_FACTOR = 4

/**
 * The window to believe in after a refusal. One that names its window is believed at once. One that names none halves the
 * belief, but not below the user's words: a request that is somewhat smaller is tried before those are cut.
 */
export function believedWindow(refused: RefusedRequest): number {
  const { window = Number.POSITIVE_INFINITY, sentTokens, wordTokens, tokens, limit } = refused
  const smaller = sentTokens * SMALLER
  if (limit !== undefined && limit > 0) {
    if (limit < window) return limit
    // It is known already: the provider counts more than we do, and says how much.
    if (tokens !== undefined && tokens > limit) {
      return tokens > sentTokens * MOST_FACTOR ? window : whole((limit * sentTokens) / tokens)
    }
  }
  if (window === Number.POSITIVE_INFINITY) return whole(smaller)
  return whole(Math.max(Math.min(window / 2, smaller), Math.min(smaller, wordTokens) / MOST_OF_WINDOW))
}

function whole(window: number): number {
  return Math.max(LEAST_WINDOW, Math.floor(window))
}
