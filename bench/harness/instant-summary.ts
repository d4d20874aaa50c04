/** So much of each end of a request is read. */
export const END_CHARACTERS = 8_000

/**
 * A summary of the usual length that names some of what the ends of its request name: Pith refuses one that is too short for
 * its span or names nothing of it. Half a word is not among them: Pith would look for it in the whole session, and flag it.
 * Its patterns are bounded: a long word takes no time by the square.
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

/** In JSON a line end and the word behind it look like one word. */
function unescaped(json: string): string {
  return json.replace(/\\[nrt"\\]/g, ' ')
}
