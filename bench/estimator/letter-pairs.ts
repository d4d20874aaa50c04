import type { Sample } from './sample.ts'
import type { Tokenizer } from './tokenizer.ts'

/** Pairs that were hardly seen are assumed to split half the time. */
const DOUBT = 100
const HALF = 0.5

/** The number of steps of a likelihood, which is written as one character. */
export const STEPS = 63

/**
 * How likely a token ends between two letters of a word, in 1/63, for `first * 32 + second` with a = 1. Words with digits
 * and base64 are left out: nothing in them says what is a word.
 */
export function letterPairs(samples: readonly Sample[], tokenizer: Tokenizer): Float64Array {
  const seen = new Float64Array(32 * 32)
  const split = new Float64Array(32 * 32)
  for (const { kind, text } of samples) {
    if (kind === 'base64') continue
    const ends = tokenEnds(text, tokenizer)
    for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9]+/g)) {
      if (/\d/.test(word)) continue
      for (let at = 1; at < word.length; at++) {
        if (/[a-z][A-Z]/.test(word.slice(at - 1, at + 1))) continue
        const pair = ((word.charCodeAt(at - 1) & 31) << 5) | (word.charCodeAt(at) & 31)
        seen[pair] = (seen[pair] ?? 0) + 1
        split[pair] = (split[pair] ?? 0) + Number(ends.has(index + at))
      }
    }
  }
  return seen.map((times, pair) =>
    isPair(pair) ? Math.round((STEPS * ((split[pair] ?? 0) + DOUBT * HALF)) / (times + DOUBT)) / STEPS : 0,
  )
}

function isPair(pair: number): boolean {
  const first = pair >> 5
  const second = pair & 31
  return first >= 1 && first <= 26 && second >= 1 && second <= 26
}

function tokenEnds(text: string, tokenizer: Tokenizer): Set<number> {
  const ends = new Set<number>()
  let end = 0
  for (const token of tokenizer.encode(text)) {
    // A token that ends inside a character decodes to nothing, and the next one to the whole character.
    end += tokenizer.decode([token]).length
    ends.add(end)
  }
  return ends
}
