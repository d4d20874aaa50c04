import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js'
import xterm from '@xterm/headless'

/** How a cell is drawn: colours as a number of the palette, as `#rrggbb`, or the terminal's own. */
export type CellStyle = {
  readonly color?: number | string
  readonly background?: number | string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isDim: boolean
  readonly isInverse: boolean
}

export type StyledPiece = { readonly at: number; text: string; readonly style: CellStyle }

/** A terminal that draws on a screen in memory, with everything that a real one would show. */
export class ScreenTerminal implements Terminal {
  readonly #screen: InstanceType<typeof xterm.Terminal>
  #onInput: (data: string) => void = () => {}
  #onResize: () => void = () => {}
  isStarted = false
  /** All that was written, for what a screen does not keep. */
  written = ''

  constructor(columns: number, rows: number) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true })
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput
    this.#onResize = onResize
    this.isStarted = true
  }

  stop(): void {
    this.isStarted = false
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.written += data
    this.#screen.write(data)
  }

  get columns(): number {
    return this.#screen.cols
  }

  get rows(): number {
    return this.#screen.rows
  }

  readonly kittyProtocolActive = false

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`)
  }

  hideCursor(): void {
    this.write('\x1b[?25l')
  }

  showCursor(): void {
    this.write('\x1b[?25h')
  }

  clearLine(): void {
    this.write('\x1b[2K')
  }

  clearFromCursor(): void {
    this.write('\x1b[0J')
  }

  clearScreen(): void {
    this.write('\x1b[2J\x1b[H')
  }

  setTitle(): void {}
  setProgress(): void {}

  /** The user's typing: each key, or a paste, as one piece. */
  input(data: string): void {
    this.#onInput(data)
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows)
    this.#onResize()
  }

  /** Resolves when all that was written is on the screen. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#screen.write('', resolve))
  }

  /** The lines that can be seen. */
  visible(): string[] {
    const { active } = this.#screen.buffer
    return this.#linesFrom(active.viewportY, active.viewportY + this.rows)
  }

  /** The lines that can be seen and those above them. */
  all(): string[] {
    return this.#linesFrom(0, this.#screen.buffer.active.length)
  }

  /** The lines that were too wide, so that the terminal had to break them. */
  broken(): string[] {
    const { active } = this.#screen.buffer
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)).flatMap((line) =>
      line?.isWrapped === true ? [line.translateToString(true)] : [],
    )
  }

  /** How the first cell of a text that can be seen is drawn. */
  styleOf(text: string): { color: number; isItalic: boolean; isBold: boolean } {
    const { active } = this.#screen.buffer
    for (let y = active.viewportY + this.rows - 1; y >= 0; y--) {
      const line = active.getLine(y)
      const x = line?.translateToString(true).indexOf(text) ?? -1
      const cell = x === -1 ? undefined : line?.getCell(x)
      if (cell !== undefined) {
        const color = cell.isFgDefault() ? -1 : cell.getFgColor()
        return { color, isItalic: cell.isItalic() !== 0, isBold: cell.isBold() !== 0 }
      }
    }
    throw new Error(`"${text}" is not on the screen`)
  }

  /** The lines that can be seen as pieces of one style each. */
  styledLines(): StyledPiece[][] {
    const { active } = this.#screen.buffer
    return Array.from({ length: this.rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row)
      const pieces: StyledPiece[] = []
      for (let x = 0; x < this.columns; x++) {
        const cell = line?.getCell(x)
        // The second half of a wide character has no text of its own.
        if (cell === undefined || cell.getWidth() === 0) continue
        const style = styleOf(cell)
        const last = pieces.at(-1)
        if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style))
          last.text += cell.getChars() || ' '
        else pieces.push({ at: x, text: cell.getChars() || ' ', style })
      }
      return pieces
    })
  }

  #linesFrom(from: number, to: number): string[] {
    const { active } = this.#screen.buffer
    const lines: string[] = []
    for (let y = from; y < to; y++) lines.push(active.getLine(y)?.translateToString(true) ?? '')
    return lines
  }
}

type XtermCell = NonNullable<ReturnType<NonNullable<ReturnType<BufferLines>>['getCell']>>
type BufferLines = InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']

function styleOf(cell: XtermCell): CellStyle {
  const hex = (rgb: number) => `#${rgb.toString(16).padStart(6, '0')}`
  return {
    ...(cell.isFgDefault() ? {} : { color: cell.isFgRGB() ? hex(cell.getFgColor()) : cell.getFgColor() }),
    ...(cell.isBgDefault() ? {} : { background: cell.isBgRGB() ? hex(cell.getBgColor()) : cell.getBgColor() }),
    isBold: cell.isBold() !== 0,
    isItalic: cell.isItalic() !== 0,
    isDim: cell.isDim() !== 0,
    isInverse: cell.isInverse() !== 0,
  }
}
