import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { counted } from '../../engine/report/numbers.ts'
import type { Theme } from './theme.ts'

export type PagedTextOptions = {
  readonly theme: () => Theme
  /** All lines at this width. */
  readonly lines: (width: number) => readonly string[]
}

/** A text that is shown page by page if it has more lines than rows. It knows whether its end was shown. */
export class PagedText {
  readonly #options: PagedTextOptions
  #wrapped: { readonly width: number; readonly lines: readonly string[] } | undefined
  #top = 0
  /** The number of lines of the current page. */
  #page = 0
  /** The first line of the last page. That page is as long as the others, so that the answers below do not move. */
  #last = 0
  #isRead = false

  constructor(options: PagedTextOptions) {
    this.#options = options
  }

  /** True when the last line was shown. */
  get isRead(): boolean {
    return this.#isRead
  }

  /** True while not all lines fit the rows. */
  get hasPages(): boolean {
    return this.#page < this.#total
  }

  /** The current page in `rows` rows. A page that is drawn counts as shown. */
  render(width: number, rows: number): string[] {
    const lines = this.#at(width)
    if (rows < 1) return []
    this.#top = Math.max(0, Math.min(this.#top, lines.length - 1))
    if (lines.length <= rows) this.#top = 0
    const marks = lines.length > rows && rows > 2
    const room = rows - (marks && this.#top > 0 ? 1 : 0)
    this.#last = Math.max(0, lines.length - rows + (marks ? 1 : 0))
    this.#page = this.#top + room >= lines.length ? lines.length - this.#top : room - (marks ? 1 : 0)
    const end = this.#top + this.#page
    this.#isRead ||= end >= lines.length
    const shown = lines.slice(this.#top, end)
    return marks ? [...this.#above(width), ...shown, ...this.#below(lines.length - end, width)] : shown
  }

  /** Shows the next page, and after the last one the first. */
  turn(): void {
    if (this.#top < this.#last) this.forward()
    else this.#top = 0
  }

  forward(): void {
    this.#top = Math.min(this.#top + this.#page, this.#last)
  }

  toStart(): void {
    this.#top = 0
  }

  toEnd(): void {
    this.#top = this.#last
  }

  back(): void {
    // The page before may have one line less, because both of its ends have a mark.
    this.#top = Math.max(0, this.#top - Math.max(1, this.#page - 1))
  }

  get #total(): number {
    return this.#wrapped?.lines.length ?? 0
  }

  /** Another width gives other lines. */
  #at(width: number): readonly string[] {
    if (this.#wrapped?.width !== width) {
      this.#wrapped = { width, lines: this.#options.lines(width) }
      this.#top = 0
    }
    return this.#wrapped.lines
  }

  #above(width: number): string[] {
    if (this.#top === 0) return []
    const key = this.#top + this.#page < this.#total ? 'Page Up' : 'Ctrl+O'
    return [this.#painted(`… ${counted(this.#top, 'earlier line')}, ${key} shows them`, width)]
  }

  #below(rest: number, width: number): string[] {
    return rest === 0 ? [] : [this.#painted(`… ${counted(rest, 'more line')}, Ctrl+O shows them, End the last`, width)]
  }

  #painted(text: string, width: number): string {
    return `  ${this.#options.theme().paint(truncateToWidth(text, width - 2, '…'), 'muted')}`
  }
}
