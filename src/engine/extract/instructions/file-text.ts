import { withoutEscapes } from '../../../model/text.ts'
import { isFrame } from '../calls/exit-status.ts'
import { withoutClientNotes } from '../text/client-notes.ts'

/** The text of a file as a tool showed it. */
export type FileText = {
  readonly text: string
  /** The number of its first line, if the tool numbers the lines. */
  readonly firstLine?: number
}

/** The text of a file in the result of a call, without what the tool adds; undefined if the result has none. */
export function fileText(printed: string): FileText | undefined {
  const lines = withoutFrames(withoutEscapes(withoutClientNotes(printed)).split('\n'))
  const text = lines.join('\n')
  if (text.trim() === '' || (text.length < LONGEST_REFUSAL && REFUSAL.test(text.trimStart()))) return undefined
  const numbered = withoutNumbers(lines)
  return numbered === undefined ? { text } : { text: numbered.lines.join('\n'), firstLine: numbered.first }
}

const LONGEST_REFUSAL = 600
/** How tools say in an ordinary result that they show no file. */
const REFUSAL =
  /^(?:<?(?:tool_use_)?error\b|file (?:not found|does not exist|unchanged)|wasted call|no such file|cannot (?:open|read)|ENOENT|EISDIR|path (?:does not exist|is a directory))/i

/** Lines that a tool puts around the text: exit codes and such, and the marks of opencode, OpenHands, Gemini CLI and Claude Code. */
const MARKS =
  /^(?:<\/?(?:file|content|type|path|untrusted_context)>.*|<path>.*<\/path>|<type>.*<\/type>|\((?:End of file|Showing lines|File has more lines|Output truncated)\b.*\)|Here's the result of running `cat -n` on .*:|\[(?:File|Showing lines|\d+ more lines)\b.*\])$/

function withoutFrames(lines: readonly string[]): readonly string[] {
  const isAround = (line: string) => line.trim() === '' || isFrame(line.trim()) || MARKS.test(line.trim())
  const first = lines.findIndex((line) => !isAround(line))
  const last = lines.findLastIndex((line) => !isAround(line))
  return first === -1 ? [] : lines.slice(first, last + 1)
}

/** `   12→text`, `12\ttext`, `00012| text`, `12: text`, `12. text` */
const NUMBER = /^ {0,8}(\d{1,6})(?:→|\t|[|:.] ?)/

/** The lines without their numbers, if all of them are numbered in order. */
function withoutNumbers(
  lines: readonly string[],
): { readonly lines: readonly string[]; readonly first: number } | undefined {
  const first = Number(NUMBER.exec(lines[0] ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(first)) return undefined
  const plain: string[] = []
  for (const [i, line] of lines.entries()) {
    const [start = '', number] = NUMBER.exec(line) ?? []
    if (Number(number) !== first + i) return undefined
    plain.push(line.slice(start.length))
  }
  return { lines: plain, first }
}
