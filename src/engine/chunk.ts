import type { Estimator } from '../tokens/estimate.ts'
import { shorten } from './shorten.ts'

/** What stands between two texts, and what the rounding of each may hide. */
const SEPARATOR_TOKENS = 2

/**
 * Splits texts into runs of at most `maxTokens`, in order, each text in exactly one run. A text that alone is larger
 * is shortened to its head and tail: it stays in, marked.
 */
export function chunk(texts: readonly string[], maxTokens: number, estimator: Estimator): string[][] {
  const chunks: string[][] = []
  let current: string[] = []
  let used = 0
  for (const whole of texts) {
    const text = fitted(whole, maxTokens, estimator)
    const tokens = estimator.text(text) + SEPARATOR_TOKENS
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

function fitted(text: string, maxTokens: number, estimator: Estimator): string {
  let short = text
  // The share that fits by the estimate; a text that is denser at its ends takes another round.
  for (
    let keep = text.length;
    estimator.text(short) + SEPARATOR_TOKENS > maxTokens && keep > 1;
    keep = Math.floor(keep * 0.8)
  ) {
    const share = Math.min(keep, Math.floor((text.length * maxTokens) / (estimator.text(text) + SEPARATOR_TOKENS)))
    const half = Math.floor(Math.min(share, keep) * 0.45)
    short = shorten(text, half, half, (cut) => `[...${cut} chars truncated]`)
  }
  return short
}
