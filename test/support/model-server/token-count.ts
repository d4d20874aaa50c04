import type { Answer } from './brain.ts'

/**
 * A stretch of a request as it is counted and cached. `key` is a part that the cache depends on but that is not billed.
 * A breakpoint is where the client asked for the prefix to be cached (Anthropic).
 */
export type Segment = { readonly text: string; readonly key?: string; readonly breakpoint?: boolean }

export type TokenUsage = {
  /** All of the request, the cached part included. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** All of the answer, the reasoning included. */
  readonly output: number
  readonly reasoning: number
}

/** The server's tokenizer: 3.6 characters of JSON are a token. Images and files count by their base64. */
const CHARACTERS_PER_TOKEN = 3.6

/** The tokens of a request: system, tools and messages as the JSON that was sent. */
export function requestTokens(segments: readonly Segment[]): number {
  return tokensOf(segments.reduce((sum, { text }) => sum + text.length, 0))
}

/** The tokens of an answer: its reasoning, its text and its calls as JSON. */
export function answerTokens({ reasoning = '', text = '', calls = [] }: Answer): number {
  return tokensOf(reasoning.length) + tokensOf(text.length + (calls.length === 0 ? 0 : JSON.stringify(calls).length))
}

export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** The answer within the tokens that the client allows: too long a text is cut, and its calls and reasoning are gone. */
export function limitAnswer(answer: Answer, maxOutputTokens = Number.POSITIVE_INFINITY): Answer {
  if (answerTokens(answer) <= maxOutputTokens) return answer
  const text = (answer.text ?? '').slice(0, Math.floor(maxOutputTokens * CHARACTERS_PER_TOKEN))
  return { ...(text === '' ? {} : { text }), finish: 'length' }
}
