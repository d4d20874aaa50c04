import { Input } from '@earendil-works/pi-tui/dist/components/input.js'
import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { Component, Focusable } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { counted } from '../../engine/report/numbers.ts'
import type { Theme } from './theme.ts'
import { wrapped } from './wrapped.ts'

export type SecretInputOptions = {
  readonly theme: () => Theme
  readonly title: string
  readonly onEnter: (secret: string) => void
  readonly onCancel: () => void
}

/** An input for a secret. The typed or pasted text is never drawn, so that neither the screen nor the scrollback has it. */
export class SecretInput implements Component, Focusable {
  readonly #options: SecretInputOptions
  readonly #input = new Input()

  constructor(options: SecretInputOptions) {
    this.#options = options
    this.#input.onSubmit = (secret) => options.onEnter(secret.trim())
  }

  get focused(): boolean {
    return this.#input.focused
  }
  set focused(on: boolean) {
    this.#input.focused = on
  }

  invalidate(): void {}

  handleInput(data: string): void {
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return this.#options.onCancel()
    this.#input.handleInput(data)
  }

  render(width: number): string[] {
    const { theme, title } = this.#options
    const { paint } = theme()
    const { length } = this.#input.getValue()
    const shown = length === 0 ? paint('type or paste it', 'muted') : `${'•'.repeat(Math.min(length, MOST_DOTS))}`
    const lines = [title, `› ${shown}${length === 0 ? '' : paint(`  ${counted(length, 'character')}`, 'muted')}`]
    return [
      ...lines.map((line) => truncateToWidth(line, width, '…')),
      ...wrapped('It is not shown. Enter stores it, Esc leaves', width).map((line) => paint(line, 'muted')),
    ]
  }
}

const MOST_DOTS = 16
