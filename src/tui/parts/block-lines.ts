import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import { bytes, count, counted, dollars } from '../../engine/report/numbers.ts'
import { reductionLines, refusalText } from '../../engine/report/outcome.ts'
import { shownPartText } from '../../engine/report/shortened-text.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { Line, Tone } from '../port/port.ts'
import type { Block, CompactionBlock, PanelBlock, ToolBlock } from '../state/state.ts'
import { diffCounts, diffLines } from './diff-lines.ts'
import { type DrawnChunks, type FrameBudget, GrowingMarkdown, NO_LIMIT, renderMarkdown } from './markdown.ts'
import { paintLine, type Theme, wrapped } from './theme.ts'

/** Width, theme, folding and time for drawing blocks. */
export type BlockStyle = {
  readonly width: number
  readonly theme: Theme
  readonly unfolded: boolean
  readonly budget: FrameBudget
  /** The Markdown that was drawn before. */
  readonly chunks: DrawnChunks
}

/** The indent of everything except the user's messages, so that those are easy to find. */
const INDENT = '  '

/** The lines of a block, each at most as wide as the screen. */
export function blockLines(block: Block, style: BlockStyle): string[] {
  const { width, theme } = style
  switch (block.kind) {
    case 'user':
      return withHandle(userLines(block.text, style), block.seq, style)
    case 'assistant':
      return withHandle(assistantLines(block.text, style), block.seq, style)
    case 'reasoning':
      return reasoningLines(block.text, style)
    case 'tool':
      return toolLines(block, style)
    case 'compaction':
      return compactionLines(block, style)
    case 'note':
      return wrapped(block.text, width - 2).map((line) => INDENT + theme.paint(line, block.tone))
    case 'panel':
      return panelLines(block, style)
    default:
      return unreachable(block)
  }
}

/** Longer replies may take several frames. */
const SHORT_CHARACTERS = 20_000

function assistantLines(text: string, style: BlockStyle): string[] {
  const budget = text.length > SHORT_CHARACTERS ? style.budget : NO_LIMIT
  return indented(new GrowingMarkdown().render(text, { ...style, width: style.width - 2, budget }))
}

/** Reasoning, dimmed. It is one line unless it is unfolded. */
export function reasoningLines(text: string, { width, theme, unfolded }: BlockStyle): string[] {
  const lines = wrapped(text.trim(), width - 4)
  const shown = unfolded || lines.length <= 1 ? lines : [`${lines[0]} …`]
  return shown.map((line, i) => theme.paint(`${i === 0 ? '∴ ' : '  '}${truncateToWidth(line, width - 2)}`, 'muted'))
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : INDENT + line))
}

/** The least width of a last column whose text continues below itself: narrower ones are hard to read. */
const LEAST_LAST_CELL = 20

/** The lines of a panel. If it is folded, its blank lines give way first. */
function panelLines({ lines, rows }: PanelBlock, style: BlockStyle): string[] {
  const all = lines.flatMap((line) => panelLine(line, style))
  if (style.unfolded || rows === undefined || all.length <= rows) return all
  const full = all.filter((line) => visibleWidth(line) > 0)
  if (full.length <= rows) return full
  const shown = full.slice(0, Math.max(1, rows - 1))
  return [...shown, ...more(full.length - shown.length, 'more', style)]
}

/** A line of a panel. Its last column continues below itself. */
function panelLine(line: Line, { width, theme }: BlockStyle): string[] {
  const room = Math.max(1, width - INDENT.length)
  const whole = paintLine(line, theme)
  if (visibleWidth(whole) <= room) return indented([whole])
  const cells = paintLine(line.slice(0, -1), theme)
  const before = visibleWidth(cells)
  // A row of a table has at least three spans: two cells and the space between them.
  const isRow = line.length >= 3 && before <= Math.max(room / 2, room - LEAST_LAST_CELL)
  const hang = isRow ? before : 2
  const text = isRow ? paintLine(line.slice(-1), theme) : whole
  const [first = '', ...rest] = wrapTextWithAnsi(text, Math.max(1, room - hang))
  return indented([isRow ? cells + first : first, ...rest.map((each) => ' '.repeat(hang) + each)])
}

/** The outcome of a compaction, with its summary when it is unfolded. */
function compactionLines(block: CompactionBlock, { width, theme, unfolded }: BlockStyle): string[] {
  const { summary, flagged = [], refusal, unusedFocus, shortened } = block
  const facts = [block.how, ...(block.cost === undefined ? [] : [dollars(block.cost)]), ...fold(block, unfolded)]
  const [done, tokens] = reductionLines(block)
  const lines = [
    theme.paint('Context compacted.', 'muted'),
    theme.paint(done, 'success'),
    tokens,
    ...[facts.join(' · '), refusal && refusalText(refusal), unusedFocus, shortened]
      .flatMap((text) => (text === undefined ? [] : wrapped(text, width - 4)))
      .map((line) => theme.paint(INDENT + line, 'muted')),
    ...(flagged.length === 0 ? [] : indented(wrapped(`Not in the source: ${flagged.join(', ')}`, width - 4))),
  ]
  if (!unfolded || summary === '') return indented(lines)
  const text = renderMarkdown(summary, width - 4, theme).map((line) => `${theme.paint('│', 'muted')} ${line}`)
  return indented([...lines, ...text, theme.paint('/summary shows the whole record, with its facts', 'muted')])
}

function fold({ summary }: CompactionBlock, unfolded: boolean): string[] {
  if (summary === '') return []
  return [unfolded ? 'Ctrl+O folds the summary' : 'Ctrl+O shows the summary']
}

/** The lines of an entry with its handle, for commands like `/pin #12`. It is after the last line or, if there is no room, below it. */
function withHandle(lines: readonly string[], seq: number, { width, theme }: BlockStyle): string[] {
  const handle = `#${seq}`
  const last = lines.at(-1)?.replace(/ +$/, '') ?? ''
  const fits = last !== '' && visibleWidth(last) + GAP.length + handle.length <= width
  const painted = GAP + theme.paint(handle, 'muted')
  return fits ? [...lines.slice(0, -1), last + painted] : [...lines, painted]
}

const GAP = '  '

/** A longer message is folded, because most of it was probably pasted. */
const MOST_LINES = 10
const SHOWN_HEAD = 3
const SHOWN_TAIL = 2
/** One long line takes no more rows than this. */
const MOST_ROWS = 20

/** A message of the user. The middle of a long message is folded. Its beginning and end stay, because people write there. */
export function userLines(text: string, style: BlockStyle): string[] {
  const { width, theme, unfolded } = style
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

/** The name of the folded part. A command that the user ran with `!` has its output between the command and the exit line. */
function foldedName(text: string): string {
  return text.startsWith('$ ') && EXIT_LINE.test(text) ? 'output' : 'paste'
}

/** The rows of a text. The middle of a very long one is replaced by a mark. */
function shortRows(text: string, width: number, name: string): string[] {
  const rows = wrapped(text, width)
  if (rows.length <= MOST_ROWS) return rows
  const [head, tail] = [rows.slice(0, SHOWN_HEAD), rows.slice(-SHOWN_TAIL)]
  const hidden = text.length - [...head, ...tail].join('').length
  return [...head, ...wrapped(`[${name}: ${count(hidden)} characters, Ctrl+O shows them]`, width), ...tail]
}

const FOLDED_LINES = 3
const FOLDED_DIFF_LINES = 12
const UNFOLDED_LINES = 200

/** A call in one line (name, target, size of its result or change), and below it the rest of a long command and the shown part of its output or diff. */
export function toolLines(block: ToolBlock, style: BlockStyle): string[] {
  const { width, theme } = style
  const shown = hasFailed(block) ? 'failed' : block.state
  const head = `${theme.paint(MARKS[shown], TONES[shown])} ${theme.paint(block.name, 'bold')} ${block.target}`
  const size = sizeText(block)
  // The step of a sub-agent may be longer than a narrow line: its name stays.
  const room = size === '' ? width : Math.max(Math.floor(width / 3), width - size.length - 3)
  const first = size === '' ? head : `${truncateToWidth(head, room, '…')} ${theme.paint(`· ${size}`, 'muted')}`
  return [
    truncateToWidth(first, width, '…'),
    ...targetLines(block, style, visibleWidth(head) > room),
    ...below(block, style),
  ]
}

/** The rest of a command that does not fit into the first line: all of it if unfolded, otherwise the number of missing lines. */
function targetLines({ name, target, wholeTarget }: ToolBlock, style: BlockStyle, isCut: boolean): string[] {
  const whole = wholeTarget ?? target
  const lines = whole.split('\n')
  if (style.unfolded) {
    if (wholeTarget === undefined && !isCut) return []
    return wrapped(whole, style.width - 4).map((row) => `  ${style.theme.paint('│', 'muted')} ${row}`)
  }
  return more(lines.length - 1, 'more', style, ` of the ${name === 'bash' ? 'command' : 'call'}`)
}

const MARKS: Readonly<Record<ToolBlock['state'], string>> = { running: '◌', open: '○', done: '●', failed: '✗' }
const TONES: Readonly<Record<ToolBlock['state'], Tone>> = {
  running: 'accent',
  open: 'warning',
  done: 'success',
  failed: 'error',
}

/** The last line of a command's output, with its exit code. */
const EXIT_LINE = /\n?\[exit code: (\d+)\]\s*$/

/** True when the call failed, or when it is a command with an exit code other than 0. */
function hasFailed({ state, output }: ToolBlock): boolean {
  const exit = EXIT_LINE.exec(output)?.[1]
  return state === 'failed' || (state === 'done' && exit !== undefined && exit !== '0')
}

/** The handle and the size of a result; for a change of a file, the lines that it adds and removes. */
function sizeText({ name, state, output, seq, diff }: ToolBlock): string {
  // A sub-agent writes a line about each of its steps.
  if (state === 'running') return name === 'task' ? (linesOf(output).at(-1) ?? '') : ''
  if (state === 'open') return 'no result'
  const changed = diff !== undefined && state === 'done' ? changedLines(diff) : undefined
  if (changed !== undefined) return `#${seq} · ${changed}`
  // The answer of `write` is one sentence. Its diff is not in the log, so a session that is opened again has none.
  if (name === 'write' && state === 'done') return `#${seq}`
  const exit = EXIT_LINE.exec(output)?.[1]
  const ended = exit === undefined || exit === '0' ? '' : `exit ${exit}, `
  const text = output.replace(EXIT_LINE, '')
  return `#${seq} · ${ended}${counted(linesOf(text).length, 'line')}, ${bytes(Buffer.byteLength(text))}`
}

/** The last line of a diff that was cut. Sessions of earlier versions have it without the counts. */
const CUT = /\n\(\d+ more lines of diff(?:; in all \+(\d+) -(\d+))?\)$/

/** The number of added and removed lines. Undefined if the diff was cut without counts, or is a remark instead of a diff. */
function changedLines(diff: string): string | undefined {
  const cut = CUT.exec(diff)
  if (cut !== null) return cut[1] === undefined ? undefined : `+${cut[1]} −${cut[2]}`
  if (!/^@@/m.test(diff)) return undefined
  const { added, removed } = diffCounts(diff)
  return `+${added} −${removed}`
}

function below(block: ToolBlock, style: BlockStyle): string[] {
  const { diff, state } = block
  const output = block.output.replace(EXIT_LINE, '')
  // Before the call is done, the permission question shows the diff.
  if (diff !== undefined && state === 'done') return foldedDiff(diff, block.target, style)
  const isFolded =
    !style.unfolded && (block.name === 'task' ? state === 'running' : block.name !== 'bash' && state === 'done')
  const shown = isFolded ? [] : linesOf(output)
  const most = style.unfolded ? UNFOLDED_LINES : FOLDED_LINES
  // A report begins with its answer. Of other output, the end shows the result.
  const isReport = block.name === 'task' && state !== 'running'
  const part = isReport ? shown.slice(0, most) : shown.slice(-most)
  const hidden = more(shown.length - part.length, isReport ? 'more' : 'earlier', style)
  const tone: Tone = state === 'failed' ? 'error' : 'muted'
  return [
    ...(isReport ? [] : hidden),
    ...part.map((line) => painted(line, tone, style)),
    ...(isReport ? hidden : []),
    ...(block.shownCharacters === undefined
      ? []
      : [painted(shownPartText(block.shownCharacters, output.length), 'muted', style)]),
  ]
}

function foldedDiff(diff: string, file: string, style: BlockStyle): string[] {
  const lines = diffLines(diff, file)
  const shown = lines.slice(0, style.unfolded ? UNFOLDED_LINES : FOLDED_DIFF_LINES)
  return [
    ...shown.map((line) => `  ${truncateToWidth(paintLine(line, style.theme), style.width - 2, '…')}`),
    ...more(lines.length - shown.length, 'more', style),
  ]
}

function painted(line: string, tone: Tone, { width, theme }: BlockStyle): string {
  return `  ${theme.paint(truncateToWidth(line, width - 2, '…'), tone)}`
}

function more(count: number, which: string, style: BlockStyle, of = ''): string[] {
  return count <= 0 ? [] : [painted(`… ${counted(count, `${which} line`)}${of}, Ctrl+O shows them`, 'muted', style)]
}

function linesOf(text: string): string[] {
  const trimmed = text.replace(/\n+$/, '')
  return trimmed === '' ? [] : trimmed.split('\n')
}
