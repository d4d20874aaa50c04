import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { bytes, counted } from '../../engine/report/numbers.ts'
import { shownPartText } from '../../engine/report/shortened-text.ts'
import type { Tone } from '../port/port.ts'
import type { ToolBlock } from '../state/blocks.ts'
import type { BlockStyle } from './block-lines.ts'
import { diffLines } from './diff-lines.ts'
import { wrapped } from './wrapped.ts'

const FOLDED_LINES = 3
const FOLDED_DIFF_LINES = 12
const UNFOLDED_LINES = 200

/** A call in one line (name, target, size of its result or change), and below it the rest of a long command and the shown part of its output or diff. */
export function toolLines(block: ToolBlock, style: BlockStyle): string[] {
  const { width, theme } = style
  const shown = hasFailed(block) ? 'failed' : block.state
  const head = `${theme.paint(MARKS[shown], TONES[shown])} ${theme.paint(block.name, 'bold')} ${block.target}`
  const size = sizeText(block)
  const room = size === '' ? width : width - size.length - 3
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

const MARKS: Readonly<Record<ToolBlock['state'], string>> = { running: '◌', done: '●', failed: '✗' }
const TONES: Readonly<Record<ToolBlock['state'], Tone>> = { running: 'accent', done: 'success', failed: 'error' }

/** The last line of a command's output, with its exit code. */
export const EXIT_LINE = /\n?\[exit code: (\d+)\]\s*$/

/** True when the call failed, or when it is a command with an exit code other than 0. */
function hasFailed({ state, output }: ToolBlock): boolean {
  const exit = EXIT_LINE.exec(output)?.[1]
  return state === 'failed' || (state === 'done' && exit !== undefined && exit !== '0')
}

/** The handle and the size of a result; for a change of a file, the lines that it adds and removes, or the size of the file. */
function sizeText({ state, output, seq, diff, written }: ToolBlock): string {
  if (state === 'running') return ''
  const changed = diff !== undefined && state === 'done' ? changedLines(diff) : undefined
  if (changed !== undefined) return `#${seq} · ${changed}`
  if (written !== undefined && state === 'done')
    return `#${seq} · ${counted(written.lines, 'line')}, ${bytes(written.bytes)}`
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
  const tones = diffLines(diff).map(([, tone]) => tone)
  const of = (wanted: Tone) => tones.filter((tone) => tone === wanted).length
  return `+${of('added')} −${of('removed')}`
}

function below(block: ToolBlock, style: BlockStyle): string[] {
  const { diff, state } = block
  const output = block.output.replace(EXIT_LINE, '')
  // Before the call is done, the permission question shows the diff.
  if (diff !== undefined && state === 'done') return foldedDiff(diff, style)
  const shown = block.name === 'bash' || state !== 'done' || style.unfolded ? linesOf(output) : []
  const most = style.unfolded ? UNFOLDED_LINES : FOLDED_LINES
  // The end of an output shows the result.
  const end = shown.slice(-most)
  const tone: Tone = state === 'failed' ? 'error' : 'muted'
  return [
    ...more(shown.length - end.length, 'earlier', style),
    ...end.map((line) => painted(line, tone, style)),
    ...(block.shownCharacters === undefined
      ? []
      : [painted(shownPartText(block.shownCharacters, output.length), 'muted', style)]),
  ]
}

function foldedDiff(diff: string, style: BlockStyle): string[] {
  const lines = diffLines(diff)
  const shown = lines.slice(0, style.unfolded ? UNFOLDED_LINES : FOLDED_DIFF_LINES)
  return [
    ...shown.map(([line, tone]) => painted(line, tone, style)),
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
