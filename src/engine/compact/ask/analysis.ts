/** The summary without its `<analysis>` blocks. One that is never closed does not swallow the summary behind it. */
export function stripAnalysis(text: string): string {
  let kept = ''
  let from = 0
  const tags = [...text.matchAll(/<(\/?)analysis\s*>/gi)].map((tag) => ({
    closes: tag[1] === '/',
    start: tag.index,
    end: tag.index + tag[0].length,
  }))
  for (const [i, tag] of tags.entries()) {
    if (tag.closes || tag.start < from) continue
    const close = tags.slice(i + 1).find((next) => next.closes)
    // A sentence may mention the tag; one that opens a block without closing it stands at the start of a line.
    if (close === undefined && !startsLine(text, tag.start)) continue
    kept += text.slice(from, tag.start)
    if (close === undefined) return withoutSummaryTag(kept + behindAnalysis(text.slice(tag.end)))
    from = close.end
  }
  return withoutSummaryTag(kept + text.slice(from))
}

function startsLine(text: string, index: number): boolean {
  return text.slice(text.lastIndexOf('\n', index - 1) + 1, index).trim() === ''
}

function withoutSummaryTag(text: string): string {
  return text
    .trim()
    .replace(/^<\/?(?:summary|analysis)>/i, '')
    .replace(/<\/summary>$/i, '')
    .trim()
}

/** Behind an analysis that was not closed the summary starts at its tag, else at the first heading, else at once. */
function behindAnalysis(text: string): string {
  const tag = text.search(/<summary>/i)
  if (tag !== -1) return text.slice(tag)
  const heading = text.search(/^#{1,6} /m)
  return heading === -1 ? text : text.slice(heading)
}
