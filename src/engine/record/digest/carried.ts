import { clip, handle, oneLine } from '../../../model/text.ts'
import type { SummaryItem } from '../../../model/types.ts'
import { escaped } from '../escape.ts'
import { currentTitle, SECTION, type Section, sectionsOf } from '../sections/section-titles.ts'
import type { Snippet } from './render-within.ts'

/** The lines of an earlier summary: reasons go among ours, the rest goes under `Earlier`. */
export type CarriedLines = { readonly why: readonly Snippet[]; readonly earlier: readonly Snippet[] }

/** The characters of a line of it at each level: nearly whole at first. */
const CHARACTERS = [1_200, 700, 400, 240, 140, 140] as const
export const CARRIED_LEVELS = CHARACTERS.length

/** The facts that are newer than an earlier summary. */
export type Since = {
  /** True for a line that newer facts cover. */
  readonly isCovered: (line: string) => boolean
  /** True if the to-dos were written again. */
  readonly hasTodos: boolean
}

/**
 * An earlier summary that a model or the user wrote, carried over for what newer facts do not cover. Also left out: what the record
 * has from the log itself (the user's messages, code, lists of files), and the next step of that time. Parts about code go before
 * parts about requests, problems and decisions when there is little room. The words of another agent are marked as that agent's.
 */
export function carriedLines({ text, by, seq }: CarriedSummary, { isCovered, hasTodos }: Since): CarriedLines {
  const parts = partsOf(withoutAnalysis(text))
    .filter(({ title }) => !isOver(title) && !(hasTodos && TASKS.test(title)))
    .map(({ title, lines }) => {
      const body = withoutCode(lines).filter(hasText)
      return { title, lines: WISHES.test(title) ? body : uncovered(body, isCovered) }
    })
  const why = parts.filter(({ title }) => title === SECTION.reasons)
  const earlier = parts.filter((part) => !why.includes(part)).flatMap(partSnippets)
  const mark = `${oneLine(by ?? '', 40)} wrote this summary (${handle(seq)}). What newer facts cover is left out.`
  return {
    why: why.flatMap(({ lines }) => lines.map((line, i) => lineSnippet(line, i - OLD))),
    earlier:
      by === undefined || earlier.length === 0
        ? earlier
        : [{ priority: MARK, render: () => escaped(mark) }, ...earlier],
  }
}

type CarriedSummary = Pick<SummaryItem, 'text' | 'by' | 'seq'>

/** More than any weight. */
const MARK = 1e6
const MARK_LINE = /^.{1,40} wrote this summary \(#\d+\)\. /
/** A wish is not a state of the work: it stays, also if all of it was done. */
const WISHES = /request|intent|goal|constraint|preference/i
const TASKS = /pending|to-?dos?\b|tasks/i

/** The lines that are not covered. With a line go those below it that are indented further. A fault with its fix is history: it stays. */
function uncovered(lines: readonly string[], isCovered: Since['isCovered']): string[] {
  let left: number | undefined
  return lines.filter((line, i) => {
    const indent = line.search(/\S/)
    if (left !== undefined && indent > left) return false
    left = isCovered(line) && !hasFix(lines.slice(i + 1), indent) ? indent : undefined
    return left === undefined
  })
}

/** True if the lines under one of this indent say how it was fixed. */
function hasFix(below: readonly string[], indent: number): boolean {
  const end = below.findIndex((line) => line.search(/\S/) <= indent)
  return below.slice(0, end === -1 ? undefined : end).some((line) => FIX.test(line))
}

const FIX = /^\s*(?:[-*•]\s+)?\**(?:fix(?:ed)?|solution|solved|resolution|resolved)\b/i

/** Less than the priority of anything new. */
const OLD = 1e6

/** The lines that an earlier digest of the log has carried over already. */
export function carriedAgain(text: string, { isCovered }: Since): CarriedLines {
  const all = sectionsOf(text).flatMap(({ title, lines }) => (title === SECTION.earlier ? lines : []))
  let isWish = false
  const kept = uncovered(all.filter(hasText), (line) => {
    if (rankOf(line) === 0) return !isWish && isCovered(line)
    isWish = WISHES.test(line)
    return false
  })
  const lines = withoutLoneHeadings(kept)
  return { why: [], earlier: lines.map((line, i) => ({ priority: lines.length - i, render: () => line })) }
}

/** Leaves out the headings under which nothing is left. */
function withoutLoneHeadings(lines: readonly string[]): string[] {
  let below = Number.POSITIVE_INFINITY
  return lines
    .toReversed()
    .filter((line) => {
      const rank = rankOf(line)
      const isLone = rank > 0 && below >= rank
      if (!isLone) below = rank
      return !isLone
    })
    .reverse()
}

/** The rank of a heading among the carried lines: the mark of a summary is above the titles in it. Other lines have 0. */
function rankOf(line: string): number {
  return MARK_LINE.test(line) ? 2 : /^\*\*[^*]+\*\*$/.test(line) ? 1 : 0
}

function partSnippets({ title, lines }: Section): Snippet[] {
  if (lines.length === 0) return []
  const weight = title === SECTION.state || WEIGHTY.test(title) ? 3_000 : LIGHT.test(title) ? 1_000 : 2_000
  const snippets = lines.map((line, i) => lineSnippet(line, weight - i, weight < 2_000 ? SHORTER : 0))
  if (title === '' || title === SECTION.earlier) return snippets
  const heading = escaped(`**${oneLine(title, 80)}**`)
  return [{ priority: weight + 1, render: () => heading }, ...snippets]
}

/** Parts that the ledger covers better are shorter by this many levels, unless there is room for all. */
const SHORTER = 3

function lineSnippet(line: string, priority: number, shorter = 0): Snippet {
  const indent = /^\s*/.exec(line)?.[0].slice(0, 4) ?? ''
  return {
    priority,
    // Details of details are the first to go.
    render: (level) =>
      `${indent}${clip(line, Math.max(60, (CHARACTERS[level === 0 ? 0 : level + shorter] ?? 140) - indent.length * 40))}`,
  }
}

/** Parts by Markdown headings, or by the numbers and bold titles of other agents' summaries. */
function partsOf(text: string): Section[] {
  const parts: { title: string; lines: string[] }[] = [{ title: '', lines: [] }]
  for (const line of text.split('\n')) {
    const title = TITLE_LINE.exec(line)
      ?.slice(1)
      .find((found) => found !== undefined)
    if (title !== undefined) parts.push({ title: currentTitle(title.trim()), lines: [] })
    else if (!CALL_TO_GO_ON.test(line)) parts.at(-1)?.lines.push(line)
  }
  return parts.map(({ title, lines }) => ({ title, lines }))
}

const TITLE_LINE =
  /^(?:#{1,3} (?:\d{1,2}\. )?\**(.{2,80}?)\**:?\**|\d{1,2}\. \**([A-Z][^:\n]{3,60}?)\**:\**|\*\*([^*\n]{3,60})\*\*:?)\s*$/

function withoutAnalysis(text: string): string {
  const start = /^(?:<summary>|Summary:)\s*$/m.exec(text)
  return start === null ? text : text.slice(start.index + start[0].length)
}

/** Code is left out: the ledger and the files have it. */
function withoutCode(lines: readonly string[]): string[] {
  let inCode = false
  return lines.filter((line) => {
    if (!/^\s*```/.test(line)) return !inCode
    inCode = !inCode
    return false
  })
}

function hasText(line: string): boolean {
  return line.trim() !== '' && !/^(?:-{3,}|<\/?summary>)$/.test(line.trim())
}

/**
 * The user's words and the files come from the log, and the next step of that time is over. So is what other agents call the
 * current state: the last thing that was done. Ours says what is finished and what is not.
 */
function isOver(title: string): boolean {
  return title !== SECTION.state && OVER.test(title)
}

const OVER =
  /user messages|next step|^current (?:work|state|task)|^Next$|^Now$|^Constraints$|read-files|modified-files|^Where else$/i
const WEIGHTY =
  /request|intent|goal|problem|error|pending|decision|constraint|preference|progress|done|stand|detail|critical/i
const LIGHT = /files? and code|code sections|technical concepts|key files|relevant files/i
/** Words of a program to the model after a summary. */
const CALL_TO_GO_ON =
  /^(?:If you need specific details from before compaction|Please continue the conversation|This session is being continued|Another language model started|Continue the conversation from where|\[\w+ has compacted what was said before; its summary is encrypted)/
