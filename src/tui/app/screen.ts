import { Editor } from '@earendil-works/pi-tui/dist/components/editor.js'
import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js'
import { type Component, Container, TuiBase } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import { printable } from '../../model/text.ts'
import { type DrawnFrame, drawFrame } from '../parts/draw-frame.ts'
import { queueLines, statusLine, workingLine } from '../parts/status-line.ts'
import { editorTheme, paintLine, type Theme } from '../parts/theme.ts'
import { Transcript } from '../parts/transcript.ts'
import type { State } from '../state/state.ts'

export type ScreenDeps = {
  readonly terminal: Terminal
  readonly state: () => State
  readonly theme: () => Theme
  readonly now: () => number
}

/** The reason of a pause takes no more rows than this with the rest of the line. */
const MOST_WORKING_ROWS = 3

/** The parts of the screen from top to bottom, and the part that receives the keys. */
export class Screen {
  readonly tui: MainScreen
  readonly editor: Editor
  readonly transcript: Transcript
  readonly theme: () => Theme
  readonly #input = new Container()
  #notice = ''

  constructor({ terminal, state, theme, now }: ScreenDeps) {
    this.tui = new MainScreen(terminal)
    const draw = this.tui.render.bind(this.tui)
    this.tui.render = (width) => draw(width).map((line) => guardedLine(line, width))
    this.theme = theme
    this.editor = new Editor(this.tui, editorTheme(theme))
    this.transcript = new Transcript(state, theme, () => setImmediate(() => this.update()))
    const painted = (line: Parameters<typeof paintLine>[0] | undefined, width: number) =>
      line === undefined ? [] : [truncateToWidth(paintLine(line, theme()), width, '…')]
    this.tui.addChild(this.transcript)
    this.tui.addChild(new LinesPart(() => ['']))
    this.tui.addChild(
      new LinesPart((width) => {
        const line = workingLine(state(), now(), width)
        return line === undefined ? [] : wrapTextWithAnsi(paintLine(line, theme()), width).slice(0, MOST_WORKING_ROWS)
      }),
    )
    this.tui.addChild(new LinesPart((width) => queueLines(state(), theme(), width)))
    this.tui.addChild(this.#input)
    this.tui.addChild(
      new LinesPart((width) =>
        painted(this.#notice === '' ? statusLine(state(), width) : [[this.#notice, 'warning']], width),
      ),
    )
    this.ask(undefined)
  }

  /** Shows a question or a list instead of the input. Without one, the input comes back. */
  ask(part: Component | undefined, focus = true): void {
    this.#input.clear()
    this.#input.addChild(part ?? this.editor)
    if (part !== undefined && !focus) this.#input.addChild(this.editor)
    this.tui.setFocus(part !== undefined && focus ? part : this.editor)
    this.tui.requestRender()
  }

  /** The rows that a question can take: all except those of other parts. The transcript does not count, because it scrolls away. */
  readonly rowsForQuestion = (width: number): number => {
    const others = [...this.tui.children, ...this.#input.children.slice(1)].filter(
      (part) => part !== this.transcript && part !== this.#input,
    )
    return this.tui.terminal.rows - others.reduce((rows, part) => rows + part.render(width).length, 0)
  }

  /** The rows between the top of the screen and the input, without the blank one that every block begins with. */
  get rowsForPanel(): number {
    const { columns } = this.tui.terminal
    return this.rowsForQuestion(columns) - this.#input.render(columns).length - 1
  }

  /** While it is locked, nothing is sent and no suggestions open. The typed text stays. */
  lockInput(isLocked: boolean): void {
    this.editor.disableSubmit = isLocked
    if (isLocked && this.editor.isShowingAutocomplete()) this.editor.handleInput('\x1b')
  }

  /** Puts texts that were not sent back into the input after an interruption: the user may want to write something else first. */
  giveBack(texts: readonly string[]): void {
    if (texts.length === 0) return
    this.editor.setText([...texts, this.editor.getExpandedText()].filter((text) => text !== '').join('\n\n'))
  }

  /** Shows a short message instead of the status line; an empty one removes it. */
  notice(text: string): void {
    this.#notice = text
    this.tui.requestRender()
  }

  /** Forgets the typed texts and clears everything that was drawn, including the scrollback, because a text of it was redacted. */
  forget(): void {
    // The editor has no method for this. Its history would bring the text back with an arrow key.
    Reflect.set(this.editor, 'history', [])
    this.tui.eraseAll()
  }

  /** Draws the next frame and leaves old lines to the terminal's scrollback. */
  update(): void {
    this.transcript.leave((lines) => this.tui.leave(lines))
    this.tui.requestRender()
  }
}

const SYNCHRONIZED = ['\x1b[?2026h', '\x1b[?2026l'] as const
const CLEAR_ALL = '\x1b[2J\x1b[H\x1b[3J'

/**
 * Draws into the terminal's main screen, so that the conversation stays in its scrollback. pi-tui has its own main screen, but
 * that erases the scrollback, including lines of the shell, at every resize and every change above the screen.
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

  /** Makes the next frame print everything from its first change on, below the current lines. */
  reprint(): void {
    this.#reprint = true
  }

  /** Erases the screen and the scrollback before the next frame, because a text of it was redacted. */
  eraseAll(): void {
    this.#drawn = undefined
    this.#before = CLEAR_ALL
    this.requestRender()
  }

  /** Erases the lines of the frame that can be seen, and leaves the terminal. `start` draws them again. */
  stepAside(): void {
    const now = this.#drawn
    // The first row is erased separately, as in `drawFrame`: tmux would move the screen into the scrollback.
    if (now !== undefined && now.lines.length > 1) {
      const up = now.cursor - now.top
      this.terminal.write(`${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[2K\r\n\x1b[J\x1b[A`)
    }
    this.#drawn = undefined
    this.stop()
  }

  /** Forgets the first lines of the frame, if they are in the scrollback. Returns whether they are. */
  leave(lines: number): boolean {
    const now = this.#drawn
    if (now === undefined || now.top < lines || now.width !== this.terminal.columns) return false
    this.#drawn = { ...now, lines: now.lines.slice(lines), top: now.top - lines, cursor: now.cursor - lines }
    return true
  }

  /** Draws the next frame at the cursor, for example after the shell had the terminal. */
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

/** Removes spaces at the end: they would wrap into extra lines when the terminal becomes narrower. */
function withoutTrailingSpace(line: string): string {
  return line.replace(/ +$/, '')
}

/** A part of the screen that is a function of its width. */
class LinesPart implements Component {
  readonly render: (width: number) => string[]

  constructor(render: (width: number) => string[]) {
    this.render = render
  }

  invalidate(): void {}
}

/**
 * A drawn line that is safe for the terminal. Colours, links and the mark of the cursor pass; any other control character is
 * shown as its code. Texts are made safe when they enter the state. This is the last check, in case one was forgotten there.
 */
export function guardedLine(line: string, width: number): string {
  if (!SUSPECT.test(line)) return line
  const pieces = line.split(OWN).map((piece, i) => (i % 2 === 0 ? printable(piece) : piece))
  return truncateToWidth(pieces.join(''), width, '')
}

/** A quick test: colours have no control characters except their escape, so nearly every line passes without more work. */
const SUSPECT = /[\0-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]|\x1b(?!\[[\d;:]*m)/
const OWN = /(\x1b\[[\d;:]*m|\x1b\]8;[^\0-\x1f\x7f-\x9f]*(?:\x07|\x1b\\)|\x1b_pi:c\x07)/
