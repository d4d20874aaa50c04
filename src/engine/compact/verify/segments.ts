/** A stretch of a Markdown text: words, code between backticks, or the lines of a fenced block. */
export type MarkdownSegment = { readonly kind: 'prose' | 'inline' | 'fence'; readonly text: string }

/** A Markdown text as stretches of prose and code, in order. A fence that is never closed reaches to the end. */
export function markdownSegments(text: string): MarkdownSegment[] {
  const segments: MarkdownSegment[] = []
  // Not spread into one call: a long text has more stretches than a call takes arguments.
  const add = (more: readonly MarkdownSegment[]) => {
    for (const segment of more) segments.push(segment)
  }
  let lines: string[] = []
  let fence = ''
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', info = ''] = /^[\s>]*(`{3,}|~{3,})(.*)/.exec(line) ?? []
    const opens = fence === '' && mark !== '' && !info.includes('`')
    const closes = fence !== '' && mark.startsWith(fence) && info.trim() === ''
    if (!opens && !closes) {
      lines.push(line)
      continue
    }
    add(fence === '' ? inProse(lines) : [{ kind: 'fence', text: lines.join('\n') }])
    lines = []
    fence = opens ? mark : ''
  }
  add(fence === '' ? inProse(lines) : [{ kind: 'fence', text: lines.join('\n') }])
  return segments
}

/** The prose of a Markdown text. Inline code stays, as a quotation may contain some, but its own quotes quote nothing. */
export function proseOf(text: string): string {
  return markdownSegments(text)
    .map((segment) => {
      if (segment.kind === 'prose') return segment.text
      return segment.kind === 'fence' ? '\n\n' : `\`${segment.text.replace(/["“”]/g, "'")}\``
    })
    .join('')
}

function inProse(lines: readonly string[]): MarkdownSegment[] {
  const text = lines.join('\n')
  const segments: MarkdownSegment[] = []
  let end = 0
  for (const match of text.matchAll(/(?<!`)(`{1,2})(?!`)([^`\n]+)\1(?!`)/g)) {
    segments.push({ kind: 'prose', text: text.slice(end, match.index) }, { kind: 'inline', text: match[2] ?? '' })
    end = match.index + match[0].length
  }
  return [...segments, { kind: 'prose', text: `${text.slice(end)}\n` }]
}
