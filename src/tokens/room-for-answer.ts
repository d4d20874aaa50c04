import type { ModelInfo } from '../model/types.ts'

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
