/** The summary without its `<analysis>` blocks. One that is never closed does not swallow the summary behind it. */
export function stripAnalysis(text: string): string {
  let kept = ''
  let from = 0
  let open: number | undefined
  for (const tag of text.matchAll(/<(\/?)analysis>/gi)) {
    const closing = tag[1] === '/'
    if (!closing && open === undefined) {
      kept += text.slice(from, tag.index)
      open = tag.index + tag[0].length
    } else if (closing) {
      if (open === undefined) kept += text.slice(from, tag.index)
      from = tag.index + tag[0].length
      open = undefined
    }
  }
  kept += open === undefined ? text.slice(from) : behindAnalysis(text.slice(open))
  return kept
    .trim()
    .replace(/^<summary>/i, '')
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
