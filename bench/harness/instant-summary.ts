/** The characters that are read of each end of a request. */
export const END_CHARACTERS = 8_000

/**
 * A summary of the usual length that repeats some names from the ends of its request: Pith refuses one that is too short for
 * its span or names nothing of it. Half words are left out: Pith would look for them in the whole session, and flag them.
 * The patterns have bounded lengths, so that a long word does not take quadratic time.
 */
export function instantSummary(begin: string, end: string): string {
  const [first, last] = [unescaped(begin), unescaped(end)]
  const ends = first.slice(0, first.lastIndexOf(' ') + 1) + last.slice(last.indexOf(' '))
  const names = [
    ...new Set(ends.match(/\b[\w.-]{1,40}\/[\w./-]{1,60}\.\w{1,5}\b|\b[a-z]{1,20}[A-Z]\w{3,20}|\b[a-z]{5,12}\b/g)),
  ]
  const named = names.slice(0, 60).concat(names.slice(-60)).join(', ')
  return `## Goal\nTo go on with the work.\n\n## Progress\nThese were read and changed: ${named}.\n\n## Next\nThe next thing.`
}

/** In JSON a line end and the word after it look like one word. */
function unescaped(json: string): string {
  return json.replace(/\\[nrt"\\]/g, ' ')
}
