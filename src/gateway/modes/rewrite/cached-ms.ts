import type { FaceName, FaceRequest } from '../../faces/face.ts'

/** How long a provider keeps the beginning of a request in its cache when nobody asks for it again. */
export function cachedMs({ face, body }: Pick<FaceRequest, 'face' | 'body'>): number {
  const isLong = face === 'anthropic' && LONG_MARKS.some((mark) => body.includes(mark))
  return isLong ? 60 * MINUTE_MS : LIFETIMES_MS[face]
}

const MINUTE_MS = 60_000
/** Anthropic keeps a prefix with this mark for an hour. */
const LONG_MARKS = ['"ttl":"1h"', '"ttl": "1h"']

/** OpenAI and Google say "five to ten minutes" and "a few". We take the longest time, because a prefix may still be cached. */
const LIFETIMES_MS: Readonly<Record<FaceName, number>> = {
  anthropic: 5 * MINUTE_MS,
  'openai-chat': 10 * MINUTE_MS,
  'openai-responses': 10 * MINUTE_MS,
  gemini: 10 * MINUTE_MS,
}
