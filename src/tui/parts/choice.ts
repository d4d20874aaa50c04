import { Input } from '@earendil-works/pi-tui/dist/components/input.js'
import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { Component, Focusable } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import type { Theme } from './theme.ts'

/** One answer. With `asks` the user types a text for it, after this question. */
export type Choice = { readonly key: string; readonly label: string; readonly asks?: string }

export type ChoiceOptions<C extends Choice> = {
  readonly theme: () => Theme
  /** The lines of the question at this width. */
  readonly question: (width: number) => readonly string[]
  readonly choices: readonly C[]
  readonly onChoose: (choice: C, text: string) => void
  readonly onCancel: () => void
}

/** A question with a few answers. The user chooses one by its key or with the arrows. */
export class ChoicePart<C extends Choice = Choice> implements Component, Focusable {
  readonly #options: ChoiceOptions<C>
  readonly #input = new Input()
  #at = 0
  #typing: C | undefined
  /** False while the user still types something else: those keys are no answer. */
  armed = false

  constructor(options: ChoiceOptions<C>) {
    this.#options = options
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

  invalidate(): void {}

  handleInput(data: string): void {
    const { choices, onCancel } = this.#options
    if (matchesKey(data, 'ctrl+c')) return onCancel()
    if (this.#typing !== undefined) return this.#input.handleInput(data)
    if (matchesKey(data, 'escape')) return onCancel()
    if (matchesKey(data, 'up') || matchesKey(data, 'shift+tab')) return this.#move(-1)
    if (matchesKey(data, 'down') || matchesKey(data, 'tab')) return this.#move(1)
    const chosen = matchesKey(data, 'enter') ? choices[this.#at] : this.#byKey(data)
    if (chosen !== undefined) this.#choose(chosen)
  }

  render(width: number): string[] {
    const { question, choices, theme } = this.#options
    const { paint } = theme()
    const answers = choices.map((choice, i) => {
      const text = `${i === this.#at ? '›' : ' '} ${choice.key}  ${choice.label}`
      return truncateToWidth(paint(text, i === this.#at ? 'accent' : 'plain'), width, '…')
    })
    if (!this.armed) return [...question(width), '', paint('  stop typing to answer', 'muted')]
    const typing = this.#typing
    if (typing === undefined) return [...question(width), '', ...answers]
    const asked = truncateToWidth(paint(typing.asks ?? '', 'muted'), width, '…')
    return [...question(width), '', asked, ...this.#input.render(width)]
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
