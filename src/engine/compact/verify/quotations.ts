/**
 * The passages that a summary claims to quote: block quotations, and text between double quotes. The latter counts if the
 * summary says whose words it is, or if it is too long to be a label.
 */
export function quotationsOf(summary: string): string[] {
  const prose = proseOf(summary)
  return [...prose.split(/\n[ \t]*\n/).flatMap(quoted), ...blockQuotations(prose)]
}

const MIN_WORDS = 4
const MIN_WORDS_NOT_INTRODUCED = 7

/** An ellipsis before a bracket or at the end of a line has cut off the closing quote: `edit({"text":"On the…)`. */
const QUOTE_OR_CUT = /["“”]|…(?=\)|\n|$)/g

/** Pairs of quotes within a paragraph. An opening quote follows a space or a bracket, a closing one does not. */
function quoted(paragraph: string): string[] {
  const found: string[] = []
  let open = -1
  for (const { 0: quote, index: at } of paragraph.matchAll(QUOTE_OR_CUT)) {
    if (quote === '…') open = -1
    else if (open === -1) {
      if (quote !== '”' && opensAt(paragraph, at)) open = at
    } else if (quote !== '“' && closesAt(paragraph, at)) {
      const text = paragraph.slice(open + 1, at)
      const words = wordCount(text)
      if (words >= MIN_WORDS_NOT_INTRODUCED || (words >= MIN_WORDS && isIntroduced(paragraph, open))) found.push(text)
      open = -1
    }
  }
  return found
}

/** True if the line introduces the quotation: with a colon, a list mark, or a word such as `said`. */
function isIntroduced(text: string, open: number): boolean {
  const near = text.slice(Math.max(0, open - NEAR_CHARACTERS), open)
  const line = near.slice(near.lastIndexOf('\n') + 1)
  return /(?:^[\s>*+\d.)-]*|:[\s*_]*)$/.test(line) || SAID.test(line)
}

const NEAR_CHARACTERS = 80
const SAID =
  /\b(?:users?|said|says?|asked|asks?|told|wrote|writes|stated|states|requested|request|replied|answered|feedback|messages?|quote[ds]?|errors?|failed|fails|failing|failure|warnings?|output|instruct\w*|title[ds]?)\b/i

function opensAt(text: string, at: number): boolean {
  return /^$|[\s([{*_>:—–-]/.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at + 1))
}

function closesAt(text: string, at: number): boolean {
  return /\S/.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + 1))
}

function blockQuotations(prose: string): string[] {
  return prose.split(/\n(?![ \t]*>)/).flatMap((block) => {
    const lines = block.split('\n').filter((line) => /^\s*>/.test(line))
    const text = lines.map((line) => line.replace(/^[\s>]+/, '')).join('\n')
    return wordCount(text) >= MIN_WORDS ? [text] : []
  })
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length
}

/** A segment of a Markdown text: words, code between backticks, or the lines of a fenced block. */
export type MarkdownSegment = { readonly kind: 'prose' | 'inline' | 'fence'; readonly text: string }

/** A Markdown text as segments of prose and code, in order. A fence that is never closed reaches to the end. */
export function markdownSegments(text: string): MarkdownSegment[] {
  const segments: MarkdownSegment[] = []
  // Not spread into one call: a long text has more segments than a call can take arguments.
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

/** The prose of a Markdown text. Inline code stays, because a quotation may contain some, but quotes inside it do not count. */
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
