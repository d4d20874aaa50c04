import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js'
import { type Component, Container } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { guardedLine } from '../parts/guarded-line.ts'
import { InputEditor } from '../parts/input-editor.ts'
import { LinesPart } from '../parts/lines-part.ts'
import { editorTheme } from '../parts/pi-theme.ts'
import { queueLines } from '../parts/queue-lines.ts'
import { statusLine } from '../parts/status-line.ts'
import { paintLine, type Theme } from '../parts/theme.ts'
import { Transcript } from '../parts/transcript.ts'
import { workingLine } from '../parts/working-line.ts'
import type { State } from '../state/state.ts'
import { MainScreen } from './main-screen.ts'

export type ScreenDeps = {
  readonly terminal: Terminal
  readonly state: () => State
  readonly theme: () => Theme
  readonly now: () => number
}

/** The parts of the screen from top to bottom, and the part that receives the keys. */
export class Screen {
  readonly tui: MainScreen
  readonly editor: InputEditor
  readonly transcript: Transcript
  readonly theme: () => Theme
  readonly #input = new Container()
  #notice = ''

  constructor({ terminal, state, theme, now }: ScreenDeps) {
    this.tui = new MainScreen(terminal)
    const draw = this.tui.render.bind(this.tui)
    this.tui.render = (width) => draw(width).map((line) => guardedLine(line, width))
    this.theme = theme
    this.editor = new InputEditor(this.tui, editorTheme(theme))
    this.transcript = new Transcript(state, theme, () => setImmediate(() => this.update()))
    const painted = (line: Parameters<typeof paintLine>[0] | undefined, width: number) =>
      line === undefined ? [] : [truncateToWidth(paintLine(line, theme()), width, '…')]
    this.tui.addChild(this.transcript)
    this.tui.addChild(new LinesPart(() => ['']))
    this.tui.addChild(new LinesPart((width) => painted(workingLine(state(), now(), width), width)))
    this.tui.addChild(new LinesPart((width) => queueLines(state(), theme(), width)))
    this.tui.addChild(this.#input)
    this.tui.addChild(
      new LinesPart((width) =>
        painted(this.#notice === '' ? statusLine(state(), width) : [[this.#notice, 'warning']], width),
      ),
    )
    this.ask(undefined)
  }

  /** Shows a question or a list in the place of the input. Without one the input comes back. */
  ask(part: Component | undefined, focus = true): void {
    this.#input.clear()
    this.#input.addChild(part ?? this.editor)
    if (part !== undefined && !focus) this.#input.addChild(this.editor)
    this.tui.setFocus(part !== undefined && focus ? part : this.editor)
    this.tui.requestRender()
  }

  /** The rows that a question can take: those that no other part takes but the transcript, which scrolls away. */
  readonly rowsForQuestion = (width: number): number => {
    const others = [...this.tui.children, ...this.#input.children.slice(1)].filter(
      (part) => part !== this.transcript && part !== this.#input,
    )
    return this.tui.terminal.rows - others.reduce((rows, part) => rows + part.render(width).length, 0)
  }

  /** During a compaction nothing is sent and no suggestions open. The typed text stays (K14). */
  lockInput(isLocked: boolean): void {
    this.editor.disableSubmit = isLocked
    if (isLocked && this.editor.isShowingAutocomplete()) this.editor.handleInput('\x1b')
  }

  /** After an interruption what was not sent comes back into the input: the user may want to say something else first. */
  giveBack(texts: readonly string[]): void {
    if (texts.length === 0) return
    this.editor.setText([...texts, this.editor.getExpandedText()].filter((text) => text !== '').join('\n\n'))
  }

  /** Shows a short message in the place of the status line; an empty one removes it. */
  notice(text: string): void {
    this.#notice = text
    this.tui.requestRender()
  }

  /** Forgets what was typed, and clears what was drawn, above the screen too: a text of it was redacted. */
  forget(): void {
    // The editor has no call for this. Its history would bring the text back with an arrow key.
    Reflect.set(this.editor, 'history', [])
    this.tui.eraseAll()
  }

  /** Draws the next frame and leaves old lines to the terminal's scrollback. */
  update(): void {
    this.transcript.leave((lines) => this.tui.leave(lines))
    this.tui.requestRender()
  }
}
