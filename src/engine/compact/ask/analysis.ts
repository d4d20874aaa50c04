/** The summary without its `<analysis>` blocks. A block that is never closed does not swallow the summary after it. */
export function stripAnalysis(text: string): string {
  let kept = ''
  let from = 0
  const tags = tagsIn(text)
  for (const [i, tag] of tags.entries()) {
    if (tag.closes || tag.start < from) continue
    // If the next block begins before this one is closed, this one was never closed.
    const end = tags.slice(i + 1).find((next) => next.closes || next.startsLine)
    if (!opensBlock(text, tag, end)) continue
    kept += text.slice(from, tag.start)
    if (end?.closes !== true) kept += afterAnalysis(text.slice(tag.end, end?.start))
    from = end === undefined ? text.length : end.closes ? end.end : end.start
  }
  return withoutSummaryTag(kept + text.slice(from))
}

type Tag = { readonly closes: boolean; readonly startsLine: boolean; readonly start: number; readonly end: number }

/** The tags of a text. A tag in backticks is only mentioned, so it does not count; but an analysis may end in a name in backticks. */
function tagsIn(text: string): Tag[] {
  const tags = text.matchAll(/(?:(?<!`)<|<(\/))analysis(?:\s[^<>]*)?>(?!`)/gi)
  return [...tags].map(({ 0: tag, 1: slash, index: start }) => ({
    closes: slash === '/',
    startsLine: text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '',
    start,
    end: start + tag.length,
  }))
}

/** A sentence may mention the tag. In the middle of a line it opens a block only if the block ends on that line or on a line of its own. */
function opensBlock(text: string, tag: Tag, end: Tag | undefined): boolean {
  if (tag.startsLine) return true
  return end?.closes === true && (end.startsLine || !text.slice(tag.end, end.start).includes('\n'))
}

function withoutSummaryTag(text: string): string {
  return text
    .trim()
    .replace(/^<\/?(?:summary|analysis)>/i, '')
    .replace(/<\/summary>$/i, '')
    .trim()
}

/** After an analysis that was not closed, the summary starts at its tag, or else at the first heading, or else at once. */
function afterAnalysis(text: string): string {
  const tag = text.search(/<summary>/i)
  if (tag !== -1) return text.slice(tag)
  const heading = text.search(/^#{1,6} /m)
  return heading === -1 ? text : text.slice(heading)
}
