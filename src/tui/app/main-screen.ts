import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js'
import { TuiBase } from '@earendil-works/pi-tui/dist/tui.js'
import { type DrawnFrame, drawFrame } from '../parts/draw-frame.ts'

const SYNCHRONIZED = ['\x1b[?2026h', '\x1b[?2026l'] as const
const CLEAR_ALL = '\x1b[2J\x1b[H\x1b[3J'

/**
 * Draws into the terminal's main screen, so that the conversation stays in its scrollback. pi-tui has a main screen of its
 * own, but that erases the scrollback, lines of the shell included, at every resize and every change above the screen.
 */
export class MainScreen extends TuiBase {
  readonly mode = 'regular'
  #drawn: DrawnFrame | undefined
  #reprint = false
  #screenOnly = false
  /** Written before the next frame. */
  #before = ''

  constructor(terminal: Terminal) {
    super(terminal)
  }

  /** Lets the next frame be printed whole from its first change on, below what is there. */
  reprint(): void {
    this.#reprint = true
  }

  /** Erases all that the terminal shows and keeps, before the next frame: a text of it was redacted. */
  eraseAll(): void {
    this.#drawn = undefined
    this.#before = CLEAR_ALL
    this.requestRender()
  }

  /** Forgets the first lines of the frame, if they are in the scrollback. Returns whether they are. */
  leave(lines: number): boolean {
    const now = this.#drawn
    if (now === undefined || now.top < lines || now.width !== this.terminal.columns) return false
    this.#drawn = { ...now, lines: now.lines.slice(lines), top: now.top - lines, cursor: now.cursor - lines }
    return true
  }

  /** Draws the next frame where the cursor stands, as after the shell had the terminal. */
  protected override resetRenderState(): void {
    this.#drawn = undefined
    this.#screenOnly = true
  }

  protected override beforeTerminalStop(): void {
    const now = this.#drawn
    if (now === undefined || now.lines.length === 0) return
    const down = now.lines.length - 1 - now.cursor
    this.terminal.write(`${down > 0 ? `\x1b[${down}B` : ''}\r\n`)
  }

  protected doRender(): void {
    if (this.stopped) return
    const { columns: width, rows: height } = this.terminal
    const rendered = this.render(width)
    const place = this.extractCursorPosition(rendered, height)
    const lines = this.applyLineResets(rendered.map(withoutTrailingSpace))
    const { output, drawn } = drawFrame(this.#drawn, {
      lines,
      width,
      height,
      reprint: this.#reprint,
      screenOnly: this.#screenOnly,
    })
    this.#drawn = drawn
    this.#reprint = false
    this.#screenOnly = false
    if (output !== '') this.terminal.write(SYNCHRONIZED[0] + this.#before + output + SYNCHRONIZED[1])
    this.#before = ''
    this.#placeCursor(place)
  }

  /** The terminal's cursor is hidden, but input methods open their list of candidates where it is. */
  #placeCursor(place: { readonly row: number; readonly col: number } | null): void {
    const now = this.#drawn
    if (place !== null && now !== undefined) {
      const up = now.cursor - place.row
      const move = up > 0 ? `\x1b[${up}A` : up < 0 ? `\x1b[${-up}B` : ''
      this.terminal.write(`${move}\x1b[${place.col + 1}G`)
      this.#drawn = { ...now, cursor: place.row }
    }
    this.terminal.hideCursor()
  }
}

/** Spaces at the end would be wrapped into lines of their own when the terminal becomes narrower. */
function withoutTrailingSpace(line: string): string {
  return line.replace(/ +$/, '')
}
