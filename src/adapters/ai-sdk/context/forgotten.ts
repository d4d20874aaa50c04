/** The shortest time for which providers keep a prefix in their cache. */
export const CACHED_MS = 5 * 60_000

/** True when a request was answered too long ago for the provider's cache. */
export function isForgotten(answeredAt: number | undefined): boolean {
  return answeredAt !== undefined && Date.now() - answeredAt > CACHED_MS
}
