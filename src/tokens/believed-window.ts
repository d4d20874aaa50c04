/** A request that the provider refused as too large, by our own count, and the sizes that it named. */
export type RefusedRequest = {
  /** The window that we believed in until then. */
  readonly window?: number
  readonly sentTokens: number
  /** A small request that has the user's first and latest words whole, with something of a record beside them … */
  readonly wordTokens: number
  /** … and the smallest one. */
  readonly leastTokens: number
  /** The provider's own count of the request, and its window. */
  readonly tokens?: number
  readonly limit?: number
}

/** Anything smaller than a refused request may fit. */
const SMALLER = 0.9
/** Where only the user's words are left to cut, a request that is barely smaller is tried before. */
export const BARELY_SMALLER = 0.98
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
  const { window = Number.POSITIVE_INFINITY, sentTokens, tokens, limit } = refused
  const smaller = sentTokens * SMALLER
  if (limit !== undefined && limit > 0) {
    if (limit < window) return limit
    // It is known already: the provider counts more than we do, and says how much.
    if (tokens !== undefined && tokens > limit) {
      return tokens > sentTokens * MOST_FACTOR ? window : whole((limit * sentTokens) / tokens)
    }
  }
  if (window === Number.POSITIVE_INFINITY) return whole(smaller)
  return whole(Math.max(Math.min(window / 2, smaller), withWords(refused) / MOST_OF_WINDOW))
}

/** The tokens of the next request, if it is to have the user's words whole and can be smaller than the refused one. */
function withWords({ sentTokens, wordTokens, leastTokens }: RefusedRequest): number {
  const smaller = sentTokens * SMALLER
  const isBarelySmaller = leastTokens > smaller && leastTokens <= sentTokens * BARELY_SMALLER
  return isBarelySmaller ? leastTokens : Math.min(smaller, wordTokens)
}

function whole(window: number): number {
  return Math.max(LEAST_WINDOW, Math.floor(window))
}
