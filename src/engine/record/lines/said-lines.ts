import { clip, handle, oneLine } from '../../../model/text.ts'
import { type Index, type Item, isLeftOutLine, type NarrativeFact, textOf } from '../../../model/types.ts'
import { escaped, escapedSummary } from '../escape.ts'
import { PLAIN_RECORD_AUTHOR } from '../record-place.ts'
import { HEADING, SECTION } from '../sections/section-titles.ts'
import { RANK, type RecordLine } from './line.ts'

/** The agent's own words, paragraph by paragraph. */
export function agentLines({ statements = [] }: Index, last: number): RecordLine[] {
  return statements.map((fact, i): RecordLine => {
    const { seq, text } = fact
    const line: RecordLine = {
      section: SECTION.state,
      heading: HEADING.reported,
      from: [seq],
      order: -seq + i / statements.length,
      levels: CHARACTERS.length,
      render: (level: number) => `- ${handle(seq)} ${escaped(clip(text, CHARACTERS[level] ?? 160))}`,
      kind: fact.kind === 'answer' ? 'answer' : 'agent',
      times: fact.times,
      narrative: true,
      what: 'more paragraphs of the agent',
    }
    // Where the work is: the agent's last words before the messages after the record.
    return i === statements.length - 1 && seq >= last ? { ...line, stays: { level: 1, rank: RANK.open } } : line
  })
}

const CHARACTERS = [600, 300, 160] as const

/** The summaries that a model, the user or another agent wrote, by paragraph, with their author. */
export function earlierLines({ narratives = [] }: Index): RecordLine[] {
  return narratives.flatMap((fact, i) =>
    fact.by === PLAIN_RECORD_AUTHOR ? [ownRecordLine(fact)] : summaryLines(fact, i * MOST_PARAGRAPHS),
  )
}

const MOST_PARAGRAPHS = 10_000

function summaryLines({ seq, by, text }: NarrativeFact, first: number): RecordLine[] {
  const about = { section: SECTION.earlier, from: [seq], narrative: true as const }
  const paragraphs = escapedSummary(withoutHeadings(text))
    .split(/\n(?=[-*\d])|\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  const lines = paragraphs.map(
    (paragraph, i): RecordLine => ({
      ...about,
      order: first + i + 1,
      levels: 2,
      render: (level) => (level === 0 ? clipped(paragraph, 1_200) : clip(paragraph, 300)),
      stays: { level: 0, rank: RANK.record },
      kind: 'earlier',
      what: 'more lines of an earlier summary',
    }),
  )
  if (by === undefined || lines.length === 0) return lines
  const mark = escaped(`This summary is by ${oneLine(by, 40)} (${handle(seq)}).`)
  return [{ ...about, order: first, levels: 1, render: () => mark, kind: 'author' }, ...lines]
}

/** A record of ours that came back without its data: whole while it fits, and never taken apart. */
function ownRecordLine({ seq, by = '', text }: NarrativeFact): RecordLine {
  const safe = escapedSummary(withoutHeadings(text))
  return {
    section: SECTION.earlier,
    from: [seq],
    narrative: true,
    order: -1,
    levels: RECORD_SHARES.length,
    render: (level) => {
      const most = Math.floor(safe.length * (RECORD_SHARES[level] ?? 0))
      const head = most === safe.length ? safe : safe.slice(0, Math.max(0, safe.lastIndexOf('\n', most)))
      const left = safe.length - head.length
      const note = left === 0 ? '' : `\n[… ${left} more characters]`
      return `${escaped(`This summary is by ${by} (${handle(seq)}).`)}\n${head}${note}`
    },
    stays: { level: 0, rank: RANK.record },
    kind: 'earlier',
  }
}

const RECORD_SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0] as const

/** Headings inside are of another text. */
function withoutHeadings(text: string): string {
  return text.replace(/^#{1,6} (.*)$/gm, '**$1**')
}

function clipped(text: string, characters: number): string {
  return text.length <= characters ? text : clip(text, characters)
}

/** The lines about messages that were left out of the view. Nothing else of these messages is quoted. */
export function leftOutLines(items: readonly Item[]): RecordLine[] {
  return items.filter(isLeftOutLine).map(({ place, message }) => ({
    section: SECTION.state,
    heading: HEADING.leftOut,
    from: [place],
    order: -place,
    levels: 1,
    render: () => `- ${textOf(message).replace(/^\[|\]$/g, '')}`,
    kind: 'leftOut',
  }))
}
