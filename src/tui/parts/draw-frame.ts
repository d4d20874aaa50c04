import { sliceByColumn, visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'

/** The state of the terminal after the last frame. Rows count from the first line of the frame. */
export type DrawnFrame = {
  readonly lines: readonly string[]
  readonly width: number
  readonly height: number
  /** The first line that can be seen. Lines above it are in the terminal's scrollback, and are never touched again. */
  readonly top: number
  /** The row of the terminal's cursor. */
  readonly cursor: number
}

export type Frame = {
  readonly lines: readonly string[]
  readonly width: number
  readonly height: number
  /** Print everything from the first change on, even if the scrollback already has it in another form. */
  readonly reprint?: boolean
  /** Without a last frame: print no more of this one than fits the screen. */
  readonly screenOnly?: boolean
}

/**
 * The text that turns the last frame into the next one. It never erases the scrollback, which has lines of the shell and of
 * earlier sessions. Without a last frame, the lines are printed at the cursor.
 */
export function drawFrame(before: DrawnFrame | undefined, next: Frame): { output: string; drawn: DrawnFrame } {
  if (before === undefined) return printed(0, next, next.screenOnly === true ? lastScreen(next) : 0)
  // Terminals keep the cursor in its line when their size changes.
  if (before.width !== next.width) return rewrapped(before, next)
  if (before.height !== next.height) return sameWidth(before, next)
  const first = firstChange(before.lines, next.lines)
  const isAboveScreen = first < before.top || next.lines.length <= before.top
  if (isAboveScreen) {
    // Nothing may be missing between the scrollback and the screen.
    const from = Math.min(next.reprint === true ? first : before.top, lastScreen(next))
    return printed(before.cursor - before.top, next, from)
  }
  const isSame = first === Math.max(before.lines.length, next.lines.length)
  return isSame ? { output: '', drawn: before } : changed(before, next, first)
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : rows < 0 ? `\x1b[${-rows}B` : ''
}

/**
 * Prints the lines from `from` on, starting some rows above the cursor. Lines that do not fit scroll into the scrollback. The
 * first row is erased separately: tmux moves the screen into the scrollback when all of it is erased at once.
 */
function printed(rowsUp: number, { lines, width, height }: Frame, from: number) {
  const [first = '', ...rest] = lines.slice(from).map((line) => fitted(line, width))
  const text = rest.length === 0 ? `${first}\x1b[J` : `${first}\r\n\x1b[J${rest.join('\r\n')}`
  const cursor = Math.max(0, lines.length - 1)
  const top = Math.max(from, lines.length - height)
  return { output: `${up(rowsUp)}\r\x1b[2K${text}`, drawn: { lines, width, height, top, cursor } }
}

/** The first line of the last screen of a frame. */
function lastScreen({ lines, height }: Frame): number {
  return Math.max(0, lines.length - height)
}

/**
 * A terminal with fewer rows drops the rows below the cursor and then moves rows into the scrollback. A terminal with more rows
 * may take rows back from there or not. Both cases work if no more is drawn than was on the screen.
 */
function sameWidth({ top, cursor }: DrawnFrame, next: Frame) {
  const from = top + Math.max(0, cursor - top - (next.height - 1))
  return printed(cursor - from, next, from)
}

/**
 * At another width, the terminal wraps the lines of the screen, so the rows above the cursor can be counted. We do not know
 * which of the new lines are already in the scrollback. So we draw the last screen of them, and the lines below the cursor that
 * a terminal with fewer rows has dropped. A few lines may appear twice, but none is missing.
 */
function rewrapped(before: DrawnFrame, next: Frame) {
  const rowsUp = before.lines
    .slice(0, before.cursor)
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(visibleWidth(line) / next.width)), 0)
  const dropped = next.height < before.height ? before.lines.length - 1 - before.cursor : 0
  const from = before.top === 0 ? 0 : Math.max(0, lastScreen(next) - dropped)
  return printed(Math.min(rowsUp, next.height - 1), next, from)
}

/** Draws the lines that have changed, all of which can be seen. */
function changed(before: DrawnFrame, next: Frame, first: number) {
  const { lines, width, height } = next
  const grows = lines.length > before.lines.length
  const last = grows ? lines.length - 1 : Math.min(lastChange(before.lines, lines), lines.length - 1)
  // A line below the last one can only be reached by printing a line end.
  const start = Math.min(first, before.lines.length - 1)
  const moved = `${up(before.cursor - start)}\r`
  const drawnLines = lines
    .slice(start, last + 1)
    .map((line) => `\x1b[2K${fitted(line, width)}`)
    .join('\r\n')
  const end = Math.max(start, last)
  const shrinks = lines.length < before.lines.length
  const rest = shrinks ? `${up(end - lines.length)}\r\x1b[J\x1b[1A` : ''
  const cursor = shrinks ? Math.max(0, lines.length - 1) : end
  const top = Math.max(before.top, cursor - height + 1)
  return { output: moved + drawnLines + rest, drawn: { lines, width, height, top, cursor } }
}

function firstChange(before: readonly string[], next: readonly string[]): number {
  const most = Math.max(before.length, next.length)
  for (let i = 0; i < most; i++) if (before[i] !== next[i]) return i
  return most
}

function lastChange(before: readonly string[], next: readonly string[]): number {
  for (let i = Math.max(before.length, next.length) - 1; i >= 0; i--) if (before[i] !== next[i]) return i
  return -1
}

/** Cuts a line that is too wide: it would wrap, and every row count after it would be wrong. */
function fitted(line: string, width: number): string {
  return visibleWidth(line) > width ? sliceByColumn(line, 0, width, true) : line
}
