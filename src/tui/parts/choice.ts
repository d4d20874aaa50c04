import { Input } from '@earendil-works/pi-tui/dist/components/input.js'
import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { Component, Focusable } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { PagedText } from './paged-text.ts'
import type { Theme } from './theme.ts'
import { wrapped } from './wrapped.ts'

/** One answer. With `asks` the user types a text for it, after this question. */
export type Choice = {
  readonly key: string
  readonly label: string
  readonly asks?: string
  /** True when it cannot be chosen before all of the question was shown. */
  readonly needsReading?: boolean
}

export type ChoiceOptions<C extends Choice> = {
  readonly theme: () => Theme
  /** The most rows that the part may take at this width. */
  readonly rows: (width: number) => number
  /** These lines stay in sight. */
  readonly title: (width: number) => readonly string[]
  /** These lines are shown page by page where the rows do not suffice. */
  readonly text: (width: number) => readonly string[]
  readonly choices: readonly C[]
  readonly onChoose: (choice: C, text: string) => void
  readonly onCancel: () => void
}

const LABEL_COLUMN = 5
const LABEL_INDENT = ' '.repeat(LABEL_COLUMN)
/** A rule for a long command would push the question off the screen. */
const MOST_LABEL_ROWS = 3

/** An answer is read before it is given: a rule in it is not cut off while there are a few rows for it. */
function labelRows(label: string, width: number): string[] {
  const rows = wrapped(label, Math.max(1, width))
  return rows.length <= MOST_LABEL_ROWS
    ? rows
    : [...rows.slice(0, MOST_LABEL_ROWS - 1), `${rows[MOST_LABEL_ROWS - 1]}…`]
}

/** A question with a few answers. The user chooses one by its key or with the arrows. */
export class ChoicePart<C extends Choice = Choice> implements Component, Focusable {
  readonly #options: ChoiceOptions<C>
  readonly #text: PagedText
  readonly #input = new Input()
  #at = 0
  #typing: C | undefined
  /** False while the user still types something else: those keys are no answer. */
  armed = false

  constructor(options: ChoiceOptions<C>) {
    this.#options = options
    this.#text = new PagedText({ theme: options.theme, lines: options.text })
    this.#input.onSubmit = (text) => {
      if (this.#typing !== undefined) this.#options.onChoose(this.#typing, text)
    }
    this.#input.onEscape = () => {
      this.#typing = undefined
    }
  }

  get focused(): boolean {
    return this.#input.focused
  }
  set focused(on: boolean) {
    this.#input.focused = on
  }

  /** True while the question has more lines than the screen has room for. */
  get hasPages(): boolean {
    return this.#text.hasPages
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const { choices, onCancel } = this.#options
    if (matchesKey(data, 'ctrl+c')) return onCancel()
    if (matchesKey(data, 'ctrl+o')) return this.#text.turn()
    if (matchesKey(data, 'pageDown')) return this.#text.forward()
    if (matchesKey(data, 'pageUp')) return this.#text.back()
    if (this.#typing !== undefined) return this.#input.handleInput(data)
    if (matchesKey(data, 'escape')) return onCancel()
    if (matchesKey(data, 'space')) return this.#text.forward()
    if (matchesKey(data, 'up') || matchesKey(data, 'shift+tab')) return this.#move(-1)
    if (matchesKey(data, 'down') || matchesKey(data, 'tab')) return this.#move(1)
    const chosen = matchesKey(data, 'enter') ? choices[this.#at] : this.#byKey(data)
    if (chosen !== undefined && !this.#isLocked(chosen)) this.#choose(chosen)
  }

  render(width: number): string[] {
    const title = this.#options.title(width)
    const answers = this.#answerLines(width)
    const rows = this.#options.rows(width) - title.length - 1 - answers.length
    const text = this.#text.render(width, rows)
    // Drawing the last page opens the answers.
    return [...title, ...text, this.#hint(width, rows), ...this.#answerLines(width)]
  }

  #answerLines(width: number): string[] {
    const { choices, theme } = this.#options
    const { paint } = theme()
    if (!this.armed) return [paint('  stop typing to answer', 'muted')]
    const typing = this.#typing
    if (typing !== undefined) {
      return [truncateToWidth(paint(typing.asks ?? '', 'muted'), width, '…'), ...this.#input.render(width)]
    }
    return choices.flatMap((choice, i) => {
      const [first = '', ...more] = labelRows(choice.label, width - LABEL_COLUMN)
      const rows = [`${i === this.#at ? '›' : ' '} ${choice.key}  ${first}`, ...more.map((row) => LABEL_INDENT + row)]
      const tone = this.#isLocked(choice) ? 'muted' : i === this.#at ? 'accent' : 'plain'
      return rows.map((row) => truncateToWidth(paint(row, tone), width, '…'))
    })
  }

  #hint(width: number, rows: number): string {
    const { choices, theme } = this.#options
    if (!this.armed || !choices.some((choice) => this.#isLocked(choice))) return ''
    const how = rows < 1 ? '  Make the terminal larger to see it' : '  See all of it to allow it'
    return truncateToWidth(theme().paint(how, 'warning'), width, '…')
  }

  #isLocked(choice: C): boolean {
    return choice.needsReading === true && !this.#text.isRead
  }

  #byKey(data: string): C | undefined {
    const { choices } = this.#options
    return choices.find(({ key }, i) => data === key || data === String(i + 1))
  }

  #choose(choice: C): void {
    if (choice.asks === undefined) this.#options.onChoose(choice, '')
    else this.#typing = choice
  }

  #move(by: number): void {
    const { length } = this.#options.choices
    this.#at = (this.#at + by + length) % length
  }
}
