import { clip } from '../../text/clip.ts'
import { oneLine } from '../../text/one-line.ts'
import { escaped } from '../escape.ts'
import type { Snippet } from './render-within.ts'
import type { Section } from './sections.ts'

/** The characters of a part of another agent's summary at each level. */
const CHARACTERS = [1_500, 800, 450, 250, 130] as const

/** A summary of another agent as snippets, or undefined when it has no parts that we can read. */
export function foreignParts(summary: string): Snippet[] | undefined {
  const parts = partsOf(withoutAnalysis(summary))
  if (parts.length < 3) return undefined
  return parts
    .filter(({ title, lines }) => !REPEATED.test(title) && lines.join('').trim() !== '')
    .map(({ title, lines }, i) => ({
      priority: WEIGHTY.test(title) ? 1_000 - i : -i,
      render: (level) =>
        escaped(`- ${oneLine(title, 60)}: ${clip(lines.map(unmarked).join(' '), CHARACTERS[level] ?? 130)}`),
    }))
}

/** Claude Code's summaries have numbered parts behind their analysis. */
function partsOf(text: string): Section[] {
  const parts: { title: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const title = /^(?:#{1,3} )?\d{1,2}\. \**([A-Z][^:\n]{3,60}?)\**:?\**\s*$/.exec(line)?.[1]
    if (title !== undefined) parts.push({ title, lines: [] })
    else if (!CALL_TO_GO_ON.test(line)) parts.at(-1)?.lines.push(line)
  }
  return parts
}

function withoutAnalysis(text: string): string {
  const start = /^(?:<summary>|Summary:)\s*$/m.exec(text)
  return start === null ? text : text.slice(start.index + start[0].length)
}

function unmarked(line: string): string {
  return line
    .trim()
    .replace(/^[-*•]\s+/, '')
    .replaceAll('**', '')
}

/** The user's words come from the log, and what was next then is over. */
const REPEATED = /user messages|next step/i
const WEIGHTY = /request|intent|problem|error|pending|current work/i
/** Words of the program to the model behind the summary. */
const CALL_TO_GO_ON = /^(?:If you need specific details from before compaction|Please continue the conversation)/
