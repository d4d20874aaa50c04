/** How long providers keep a prefix at least. */
export const CACHED_MS = 5 * 60_000

/** True when a request was answered so long ago that its provider has forgotten it. */
export function isForgotten(answeredAt: number | undefined): boolean {
  return answeredAt !== undefined && Date.now() - answeredAt > CACHED_MS
}
