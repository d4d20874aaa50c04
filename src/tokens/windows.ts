import type { Entry, ModelInfo } from '../model/types.ts'

/** A request that the provider refused as too large: its size by our own count, and the sizes that the provider named. */
export type RefusedRequest = {
  /** The window that we assumed until then. */
  readonly window?: number
  readonly sentTokens: number
  /** The size of a small request with the user's first and latest words whole, and a short record. */
  readonly wordTokens: number
  /** The size of the smallest request. */
  readonly leastTokens: number
  /** The largest request that the model has answered, by its own count: a guess is not below it. */
  readonly answeredTokens?: number
  /** The provider's own count of the request, and its window. */
  readonly tokens?: number
  readonly limit?: number
}

/** Anything smaller than a refused request may fit. */
const SMALLER = 0.9
/** If only the user's words are left to cut, a request that is barely smaller is tried first. */
export const BARELY_SMALLER = 0.98
/** A request takes at most this share of its window: the rest is for a short answer. */
const MOST_OF_WINDOW = 15 / 16
const LEAST_WINDOW = 1_000
/** If a provider names more than this many tokens for each of ours, it means another request. */
const MOST_FACTOR = 4

/**
 * The window to assume after a refusal. If the provider names its window, we believe it at once. If not, the assumed window
 * is halved, but not below the user's words: a request that is somewhat smaller is tried before those are cut.
 */
export function believedWindow(refused: RefusedRequest): number {
  const { window = Number.POSITIVE_INFINITY, sentTokens, tokens, limit, answeredTokens = 0 } = refused
  const smaller = sentTokens * SMALLER
  if (limit !== undefined && limit > 0) {
    if (limit < window) return limit
    // The window is known already: the provider counts more than we do, and says how much.
    if (tokens !== undefined && tokens > limit) {
      return tokens > sentTokens * MOST_FACTOR ? window : whole((limit * sentTokens) / tokens)
    }
  }
  if (window === Number.POSITIVE_INFINITY) return whole(Math.max(smaller, answeredTokens))
  const guess = Math.max(Math.min(window / 2, smaller), withWords(refused) / MOST_OF_WINDOW)
  return whole(Math.max(guess, Math.min(answeredTokens, window)))
}

/** The size of the request that an entry of this model answers, by the model's own count; 0 for other entries. */
export function answeredBy(entry: Entry, model: string | undefined): number {
  const isAnswer = entry.type === 'message' || entry.type === 'void'
  return isAnswer && entry.model === model ? (entry.usage?.inputTokens ?? 0) : 0
}

/** The tokens of the next request, if it should have the user's words whole and can be smaller than the refused one. */
function withWords({ sentTokens, wordTokens, leastTokens }: RefusedRequest): number {
  const smaller = sentTokens * SMALLER
  const isBarelySmaller = leastTokens > smaller && leastTokens <= sentTokens * BARELY_SMALLER
  return isBarelySmaller ? leastTokens : Math.min(smaller, wordTokens)
}

function whole(window: number): number {
  return Math.max(LEAST_WINDOW, Math.floor(window))
}

/** The smallest answer that is worth asking for. */
const LEAST = 1_024
/** The most that is requested if the longest answer of a model is not known: providers refuse a request for more than a model can write. */
const MOST_UNKNOWN = 32_000
/** Chat templates add tokens that providers do not document. */
const TEMPLATE_SHARE = 0.02

/**
 * The tokens that an answer may have after a request of `tokens`: the rest of the window, at most the model's output
 * limit. Undefined if neither the window nor the limit is known.
 */
export function roomForAnswer(
  { contextWindow, maxOutput }: Pick<ModelInfo, 'contextWindow' | 'maxOutput'>,
  tokens: number,
): number | undefined {
  if (contextWindow === undefined) return maxOutput
  const left = Math.floor(contextWindow * (1 - TEMPLATE_SHARE) - tokens * 1.05)
  const most = maxOutput ?? Math.min(MOST_UNKNOWN, Math.floor(contextWindow / 4))
  return Math.max(Math.min(LEAST, contextWindow), Math.min(left, most))
}
