import { shorten } from '../../../model/text.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'

/** The separator of two texts, and a margin for rounding. */
const SEPARATOR_TOKENS = 2

/**
 * Splits texts into runs of at most `maxTokens`, in order, each text in exactly one run. A text that is larger on its own
 * is shortened to its head and tail, with a mark between them.
 */
export function chunk(texts: readonly string[], maxTokens: number, estimator: Estimator): string[][] {
  const chunks: string[][] = []
  let current: string[] = []
  let used = 0
  for (const whole of texts) {
    const { text, tokens } = fitted(whole, maxTokens, estimator)
    if (current.length > 0 && used + tokens > maxTokens) {
      chunks.push(current)
      current = []
      used = 0
    }
    current.push(text)
    used += tokens
  }
  if (current.length > 0) chunks.push(current)
  return chunks
}

/** The text, shortened if necessary, with its tokens. A text that fits is counted only once: most do, and there may be many. */
function fitted(whole: string, maxTokens: number, estimator: Estimator): { text: string; tokens: number } {
  const all = estimator.text(whole) + SEPARATOR_TOKENS
  let text = whole
  let tokens = all
  // The share that fits by the estimate. A text that is denser at its ends needs another round.
  for (let keep = whole.length; tokens > maxTokens && keep > 1; keep = Math.floor(keep * 0.8)) {
    const share = Math.min(keep, Math.floor((whole.length * maxTokens) / all))
    const half = Math.floor(share * 0.45)
    text = shorten(whole, half, half, (cut) => `[...${cut} chars truncated]`)
    tokens = estimator.text(text) + SEPARATOR_TOKENS
  }
  return { text, tokens }
}
