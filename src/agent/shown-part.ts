/** The most characters of one result that the view shows, and the least, whatever the window. */
const MOST = 30_000
const LEAST = 2_000
/** Characters for each token of the window: about a tenth of it. */
const PER_TOKEN = 0.4

/** The most characters of one result that the view shows whole. */
export function shownCharacters(window: number | undefined): number {
  return Math.floor(Math.min(MOST, Math.max(LEAST, (window ?? Number.POSITIVE_INFINITY) * PER_TOKEN)))
}

/** How much of a long result the view shows; nothing when all of it. The log has it whole, and recall gives it back. */
export function shownPart(text: string, window: number | undefined): { head: number; tail: number } | undefined {
  const room = shownCharacters(window)
  // The end of an output says how it came out, its beginning what it is.
  return text.length <= room ? undefined : { head: Math.ceil(room * 0.5), tail: Math.floor(room * 0.5) }
}
