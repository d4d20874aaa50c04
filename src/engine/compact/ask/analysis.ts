/** The summary without its `<analysis>` blocks. One that is never closed does not swallow the summary behind it. */
export function stripAnalysis(text: string): string {
  let kept = ''
  let from = 0
  const tags = tagsIn(text)
  const borders = bordersOf(tags)
  for (const [i, tag] of tags.entries()) {
    if (tag.closes || tag.start < from || !opensBlock(text, tag, borders[i])) continue
    kept += text.slice(from, tag.start)
    const outer = outerEnd(text, tags, borders, i)
    // A block that is not closed before the next one begins was never closed, unless it has that one inside.
    const end = outer !== undefined && leavesSummary(text, kept, tag, outer) ? outer : borders[i]
    if (end?.closes !== true) kept += behindAnalysis(text.slice(tag.end, end?.start))
    from = end === undefined ? text.length : end.closes ? end.end : end.start
  }
  return withoutSummaryTag(kept + text.slice(from))
}

type Tag = { readonly closes: boolean; readonly startsLine: boolean; readonly start: number; readonly end: number }

/** The tags of a text, without those in backticks, which are only mentioned. An analysis may end in a name in backticks. */
function tagsIn(text: string): Tag[] {
  const tags = text.matchAll(/(?:(?<!`)<|<(\/))analysis(?:\s[^<>]*)?>(?!`)/gi)
  return [...tags].map(({ 0: tag, 1: slash, index: start }) => ({
    closes: slash === '/',
    startsLine: text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '',
    start,
    end: start + tag.length,
  }))
}

/** For each tag the next one that closes a block or begins a line. */
function bordersOf(tags: readonly Tag[]): (Tag | undefined)[] {
  const borders: (Tag | undefined)[] = []
  for (let i = tags.length - 1; i >= 0; i--) {
    const next = tags[i + 1]
    borders[i] = next?.closes === true || next?.startsLine === true ? next : borders[i + 1]
  }
  return borders
}

/** The tag that closes a block behind all blocks inside it. */
function outerEnd(text: string, tags: readonly Tag[], borders: readonly (Tag | undefined)[], i: number) {
  let open = 1
  for (let at = i + 1; at < tags.length; at++) {
    const tag = tags[at] as Tag
    if (tag.closes) open--
    else if (opensBlock(text, tag, borders[at])) open++
    if (open === 0) return tag
  }
  return undefined
}

/** True when the summary is not in the block: none is tagged there, and there is a text around it. */
function leavesSummary(text: string, before: string, start: Tag, end: Tag): boolean {
  if (/<summary>/i.test(text.slice(start.end, end.start))) return false
  return (before + text.slice(end.end)).trim() !== ''
}

/** A sentence may mention the tag: one in the middle of a line opens a block only if that ends on the line, or on a line of its own. */
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

/** Behind an analysis that was not closed the summary starts at its tag, else at the first heading, else at once. */
function behindAnalysis(text: string): string {
  const tag = text.search(/<summary>/i)
  if (tag !== -1) return text.slice(tag)
  const heading = text.search(/^#{1,6} /m)
  return heading === -1 ? text : text.slice(heading)
}
