import { oneLine } from '../../model/text.ts'
import { count, counted } from './numbers.ts'

/** A place of a session file that could not be read as written: the problem, and how it was handled. */
type FileIssue = { readonly line: number; readonly reason: string }

const SHOWN = 10

/** The places of a file that were not read as written, one on each line. `total` may be more than the listed ones. */
export function issueLines(issues: readonly FileIssue[], total: number): string[] {
  if (issues.length === 0) return []
  const shown = issues.slice(0, SHOWN)
  const rest = total - shown.length
  return [
    `${counted(total, 'place')} of the file could not be read as written:`,
    ...shown.map((issue) => `  ${fileIssueLine(issue)}`),
    ...(rest > 0 ? [`  and ${counted(rest, 'more place')}`] : []),
  ]
}

/** A place of a file in one line. */
export function fileIssueLine({ line, reason }: FileIssue): string {
  return line === 0 ? reason : `line ${line}: ${reason}`
}

/** The notice that prompts of a file are not in the log that was read from it. */
export function lostPromptsText(
  typed: number,
  [first, ...others]: readonly { readonly line: number; readonly text: string }[],
): string | undefined {
  if (first === undefined) return undefined
  const share = `${count(others.length + 1)} of ${counted(typed, 'typed prompt')}`
  return `${share} did not reach the log; the first, in line ${first.line}: ${oneLine(first.text, 80)}`
}
