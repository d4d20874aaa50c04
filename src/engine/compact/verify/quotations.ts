import { proseOf } from './segments.ts'

/**
 * The passages that a summary claims to quote: block quotations, and what stands between double quotes if it is said
 * to be someone's words or is too long to be a label of the writer's own.
 */
export function quotationsOf(summary: string): string[] {
  const prose = proseOf(summary)
  return [...prose.split(/\n[ \t]*\n/).flatMap(quoted), ...blockQuotations(prose)]
}

const MIN_WORDS = 4
const MIN_WORDS_UNSAID = 7

/** An ellipsis before a bracket or at the end of a line has cut off the quote that would close: `edit({"text":"On the…)`. */
const QUOTE_OR_CUT = /["“”]|…(?=\)|\n|$)/g

/** Pairs of quotes within a paragraph; a quote that opens follows a space or a bracket, one that closes does not. */
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
      if (words >= MIN_WORDS_UNSAID || (words >= MIN_WORDS && isSaid(paragraph, open))) found.push(text)
      open = -1
    }
  }
  return found
}

/** True when the line up to a quotation introduces it: a colon, a list mark, or a word for who said it. */
function isSaid(text: string, open: number): boolean {
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
