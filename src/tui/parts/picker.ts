import { Input } from '@earendil-works/pi-tui/dist/components/input.js'
import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { Component, Focusable } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { count, counted } from '../../engine/report/numbers.ts'
import { fitting, type Span, table } from '../port/port.ts'
import { paintLine, type Theme, wrapped } from './theme.ts'

export type PickerRow = { readonly value: string; readonly cells: readonly Span[] }

/** The title and the rows of a list to choose from. */
export type PickerList = {
  readonly title: string
  readonly rows: readonly PickerRow[]
  readonly align?: readonly ('left' | 'right')[]
  /** The value of the row where the list starts; the first one by default. */
  readonly current?: string | undefined
}

export type PickerOptions = PickerList & {
  readonly theme: () => Theme
  /** The rows of the screen that the list may take, at this width. */
  readonly space: (width: number) => number
  readonly onPick: (value: string) => void
  readonly onCancel: () => void
}

const VISIBLE_ROWS = 10
const LEAST_ROWS = 3
const MOST_CUT_LINES = 3
/** The lines of a list except its rows: title, filter, place, and the text of the selected row. */
const OTHER_LINES = 3 + MOST_CUT_LINES
/** How to use a list; the first one that fits is shown. */
const HINTS = ['type to narrow, ↑↓ move, Enter takes, Esc leaves', '↑↓, Enter takes, Esc leaves', 'Esc leaves']

/** A list to choose from. Typing filters it. */
export class Picker implements Component, Focusable {
  readonly #options: PickerOptions
  readonly #filter = new Input()
  #at = 0

  constructor(options: PickerOptions) {
    this.#options = options
    this.#at = Math.max(
      0,
      options.rows.findIndex(({ value }) => value === options.current),
    )
  }

  get focused(): boolean {
    return this.#filter.focused
  }
  set focused(on: boolean) {
    this.#filter.focused = on
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const rows = this.#matching()
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return this.#options.onCancel()
    if (matchesKey(data, 'enter')) {
      const row = rows[this.#at]
      if (row !== undefined) this.#options.onPick(row.value)
      return
    }
    const moved = moveOf(data)
    if (moved !== 0) {
      this.#at = Math.max(0, Math.min(rows.length - 1, this.#at + moved))
      return
    }
    this.#filter.handleInput(data)
    this.#at = 0
  }

  render(width: number): string[] {
    const { paint } = this.#options.theme()
    const { title } = this.#options
    const hint = HINTS.find((each) => visibleWidth(title) + 2 + visibleWidth(each) <= width)
    const first = hint === undefined ? truncateToWidth(title, width, '…') : `${title}  ${paint(hint, 'muted')}`
    return [first, ...this.#filter.render(width), ...this.#rowLines(width)]
  }

  #rowLines(width: number): string[] {
    const { theme, align } = this.#options
    const { paint } = theme()
    const rows = this.#matching()
    if (rows.length === 0) return [paint('  nothing matches', 'muted')]
    // On a small screen, more rows would push the title and the filter out of it.
    const most = Math.max(LEAST_ROWS, Math.min(VISIBLE_ROWS, this.#options.space(width) - OTHER_LINES))
    const from = Math.max(0, Math.min(this.#at - Math.floor(most / 2), rows.length - most))
    const shown = rows.slice(from, from + most)
    const lines = table(
      fitting(
        shown.map((row) => row.cells),
        width - 2,
      ),
      align,
    ).map((line, i) => {
      const isHere = from + i === this.#at
      const text = isHere ? paint(line.map(([cell]) => cell).join(''), 'accent') : paintLine(line, theme())
      return truncateToWidth(`${isHere ? paint('› ', 'accent') : '  '}${text}`, width, '…')
    })
    const rest = rows.length - shown.length
    const place = rest === 0 ? [] : [paint(`  ${this.#at + 1} of ${count(rows.length)}`, 'muted')]
    return [...lines, ...place, ...this.#cutText(shown, rows[this.#at], width)]
  }

  /** The last cell of the selected row, if its line has no room for all of it. */
  #cutText(shown: readonly PickerRow[], row: PickerRow | undefined, width: number): string[] {
    const last = row?.cells.at(-1)?.[0]
    const whole = table(shown.map(({ cells }) => cells))[shown.findIndex((each) => each === row)]
    if (row === undefined || last === undefined || whole === undefined) return []
    if (visibleWidth(whole.map(([cell]) => cell).join('')) <= width - 2) return []
    const text = wrapped(last, Math.max(1, width - 4)).slice(0, MOST_CUT_LINES)
    return text.map((line) => `    ${this.#options.theme().paint(line, 'muted')}`)
  }

  #matching(): readonly PickerRow[] {
    const words = this.#filter.getValue().toLowerCase().split(/\s+/)
    return this.#options.rows.filter(({ cells }) => {
      const text = cells
        .map(([cell]) => cell)
        .join(' ')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    })
  }
}

function moveOf(data: string): number {
  if (matchesKey(data, 'up')) return -1
  if (matchesKey(data, 'down')) return 1
  if (matchesKey(data, 'pageUp')) return -VISIBLE_ROWS
  return matchesKey(data, 'pageDown') ? VISIBLE_ROWS : 0
}

type SecretInputOptions = {
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
