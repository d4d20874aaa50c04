import { count, counted } from '../../engine/report/numbers.ts'
import type { BlockStyle } from './block-lines.ts'
import { EXIT_LINE } from './tool-lines.ts'
import { wrapped } from './wrapped.ts'

/** A longer message is folded: most of it was pasted. */
const MOST_LINES = 10
const SHOWN_HEAD = 3
const SHOWN_TAIL = 2
/** One long line takes no more rows than this. */
const MOST_ROWS = 20

/** What the user said. The middle of a long message is folded; its beginning and end, where people write, stay. */
export function userLines(text: string, look: BlockStyle): string[] {
  const { width, theme, unfolded } = look
  const rows = unfolded ? wrapped(text, width - 2) : foldedRows(text, width - 2)
  return rows.map((row, i) => theme.paint(i === 0 ? '› ' : '  ', 'user') + theme.paint(row, 'user'))
}

function foldedRows(text: string, width: number): string[] {
  const lines = text.split('\n')
  const name = foldedName(text)
  const shortened = (part: readonly string[]) => shortRows(part.join('\n'), width, name)
  if (lines.length <= MOST_LINES) return shortened(lines)
  const folded = lines.length - SHOWN_HEAD - SHOWN_TAIL
  const mark = `[${name}: ${counted(folded, 'line')}, Ctrl+O shows them]`
  return [...shortened(lines.slice(0, SHOWN_HEAD)), ...wrapped(mark, width), ...shortened(lines.slice(-SHOWN_TAIL))]
}

/** The output of a command that the user ran with `!` stands between the command and the line that says how it ended. */
function foldedName(text: string): string {
  return text.startsWith('$ ') && EXIT_LINE.test(text) ? 'output' : 'paste'
}

/** The rows of a text; a very long line of it gives way to a mark. */
function shortRows(text: string, width: number, name: string): string[] {
  const rows = wrapped(text, width)
  if (rows.length <= MOST_ROWS) return rows
  const [head, tail] = [rows.slice(0, SHOWN_HEAD), rows.slice(-SHOWN_TAIL)]
  const hidden = text.length - [...head, ...tail].join('').length
  return [...head, ...wrapped(`[${name}: ${count(hidden)} characters, Ctrl+O shows them]`, width), ...tail]
}
