import type { FaceRequest } from './face.ts'

/** How long a provider keeps the beginning of a request in its cache when nobody asks for it again. */
export function cachedMs({ face, body }: Pick<FaceRequest, 'face' | 'body'>): number {
  // OpenAI and Google say "five to ten minutes" and "a few". We take the longest time, because a prefix may still be cached.
  if (face !== 'anthropic') return 10 * MINUTE_MS
  const isLong = LONG_MARKS.some((mark) => body.includes(mark))
  return isLong ? 60 * MINUTE_MS : 5 * MINUTE_MS
}

const MINUTE_MS = 60_000
/** Anthropic keeps a prefix with this mark for an hour. */
const LONG_MARKS = ['"ttl":"1h"', '"ttl": "1h"']
