import { hashOf } from '../hash-of.ts'

/** Settings are chosen on one half of the sessions and reported on the other. */
export type Half = 'choosing' | 'reporting'

/**
 * The half that a session belongs to, by a hash of its own id (or of the file's name if it has none). The rule was written
 * down before any run, and a session never changes sides, whatever other sessions there are.
 */
export function halfOf(sessionId: string): Half {
  return hashOf(sessionId) % 2 === 0 ? 'choosing' : 'reporting'
}
