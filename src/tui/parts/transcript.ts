import { RecentMap } from '../../model/values.ts'
import type { Block, State } from '../state/state.ts'
import { type BlockStyle, blockLines, indented, reasoningLines } from './block-lines.ts'
import { FrameBudget, GrowingMarkdown } from './markdown.ts'
import type { Theme } from './theme.ts'

/** The most lines of the screen. Older ones are left to the terminal's scrollback. */
const MOST_LINES = 1_500
const KEPT_LINES = 750

const MOST_CHUNKS = 4_000

/**
 * The conversation so far, and its drawn lines. A cache: saves wrapping and painting the whole conversation for each
 * frame, and the Markdown of a reply once more when the reply is complete. Dropped: the lines of a block with the block or when
 * the theme changes, a chunk of Markdown after 4,000 others.
 */
export class Transcript {
  readonly #state: () => State
  readonly #theme: () => Theme
  readonly #drawAgain: () => void
  #drawn = new WeakMap<Block, { key: string; lines: readonly string[] }>()
  readonly #chunks = new RecentMap<string, readonly string[]>(MOST_CHUNKS)
  #live = new GrowingMarkdown()
  /** The blocks, and the lines of the next block, that are in the terminal's scrollback. */
  #gone = { blocks: 0, lines: 0 }
  #key = ''
  #lines = 0

  /** `drawAgain` is called when a frame had no time for all new content. */
  constructor(state: () => State, theme: () => Theme, drawAgain: () => void) {
    this.#state = state
    this.#theme = theme
    this.#drawAgain = drawAgain
  }

  invalidate(): void {
    this.#drawn = new WeakMap()
    this.#live = new GrowingMarkdown()
  }

  /** Starts over with another conversation. */
  restart(): void {
    this.invalidate()
    this.#gone = { blocks: 0, lines: 0 }
  }

  render(width: number): string[] {
    const state = this.#state()
    const budget = new FrameBudget()
    const style: BlockStyle = { width, theme: this.#theme(), unfolded: state.unfolded, budget, chunks: this.#chunks }
    const key = `${width} ${style.theme.name} ${style.unfolded}`
    // After a change of width or theme everything is drawn again, from the end, up to the limit.
    if (key !== this.#key) this.#gone = { blocks: 0, lines: 0 }
    const all = this.#draw(state, style, key)
    // A void answer has been removed together with its lines.
    if (this.#gone.lines > all.length) this.#gone = { ...this.#gone, lines: 0 }
    let skipped = this.#gone.lines
    if (key !== this.#key && all.length > MOST_LINES) {
      skipped = all.length - KEPT_LINES
      this.#leave(skipped, key)
    }
    this.#key = key
    const lines = all.slice(skipped)
    this.#lines = lines.length
    if (budget.missed > 0) this.#drawAgain()
    return lines
  }

  /** Leaves the oldest lines to the scrollback when there are too many. Returns how many. */
  leave(mayLeave: (lines: number) => boolean): number {
    const lines = this.#lines - KEPT_LINES
    if (this.#lines <= MOST_LINES || !mayLeave(lines)) return 0
    this.#leave(lines, this.#key)
    this.#lines -= lines
    return lines
  }

  #leave(lines: number, key: string): void {
    let { blocks: at, lines: left } = this.#gone
    left += lines
    const { blocks } = this.#state()
    for (let block = blocks[at]; block !== undefined; block = blocks[++at]) {
      const drawn = this.#drawn.get(block)
      if (drawn?.key !== key || drawn.lines.length > left) break
      left -= drawn.lines.length
    }
    this.#gone = { blocks: at, lines: left }
  }

  #draw(state: State, style: BlockStyle, key: string): string[] {
    const lines: string[] = []
    const { blocks, live } = state
    const from = Math.min(this.#gone.blocks, blocks.length)
    for (let i = from; i < blocks.length; i++) {
      const block = blocks[i]
      if (block !== undefined) for (const line of this.#linesOf(block, blocks[i - 1], style, key)) lines.push(line)
    }
    if (live.reasoning.trim() !== '') lines.push('', ...reasoningLines(live.reasoning, style))
    if (live.text !== '')
      lines.push('', ...indented(this.#live.render(live.text, { ...style, width: style.width - 2 })))
    else this.#live = new GrowingMarkdown()
    return lines
  }

  /** The lines of a block, with a blank line before it except between two tool calls. */
  #linesOf(block: Block, before: Block | undefined, style: BlockStyle, key: string): readonly string[] {
    const known = this.#drawn.get(block)
    if (known?.key === key) return known.lines
    const { missed } = style.budget
    const own = blockLines(block, style)
    const lines = block.kind === 'tool' && before?.kind === 'tool' ? own : ['', ...own]
    // A block that was cut short for lack of time is drawn again.
    if (style.budget.missed === missed) this.#drawn.set(block, { key, lines })
    return lines
  }
}
