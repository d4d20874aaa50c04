import type { Markdown } from '@earendil-works/pi-tui/dist/components/markdown.js'
import { wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import { markdownTheme, type Theme, withoutFences } from './theme.ts'

/** A longer chunk ends at the next line, even inside a paragraph or a code block. */
const MOST_CHARACTERS = 16_000

/**
 * Cuts a growing Markdown text into chunks that can be rendered separately. All but the last never change, so only the
 * new part of a long reply is rendered.
 */
export class MarkdownChunks {
  #done: string[] = []
  /** The start of the first chunk that may still change. */
  #from = 0
  /** The line that opened the code block in which the last chunk ended. */
  #fence = ''

  update(text: string): readonly string[] {
    if (text.length < this.#from) this.#reset()
    for (let cut = this.#nextCut(text); cut !== undefined; cut = this.#nextCut(text)) {
      this.#done.push(this.#chunk(text.slice(this.#from, cut.at), cut.fence))
      this.#fence = cut.fence
      this.#from = cut.at
    }
    const rest = text.slice(this.#from)
    return rest.trim() === '' ? this.#done : [...this.#done, this.#chunk(rest, '')]
  }

  #reset(): void {
    this.#done = []
    this.#from = 0
    this.#fence = ''
  }

  #chunk(text: string, openFence: string): string {
    const body = this.#fence === '' ? text : `${this.#fence}\n${text}`
    return openFence === '' ? body : `${body}${markOf(openFence)}\n`
  }

  /** The end of the current chunk, a blank line between two paragraphs, if the text has one already. */
  #nextCut(text: string): { at: number; fence: string } | undefined {
    let fence = this.#fence
    let blank = false
    for (let start = this.#from; ; ) {
      const end = text.indexOf('\n', start)
      if (end === -1) return undefined
      const line = text.slice(start, end)
      if (blank && fence === '' && start > this.#from && isParagraphStart(line)) return { at: start, fence }
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark !== undefined) {
        if (fence === '') fence = line
        else if (mark.startsWith(markOf(fence)) && line.trim() === mark) fence = ''
      }
      blank = line.trim() === ''
      start = end + 1
      if (start - this.#from > MOST_CHARACTERS) return { at: start, fence }
    }
  }
}

/** A line after a blank one that does not continue a list, a quotation or a table. */
function isParagraphStart(line: string): boolean {
  return /^[^\s>|*+\-\d]/.test(line) || /^(?:\*\*|\d+[^.)\d])/.test(line)
}

function markOf(fence: string): string {
  return /`{3,}|~{3,}/.exec(fence)?.[0] ?? '```'
}

type MarkdownClass = typeof Markdown
let loaded: MarkdownClass | undefined

/** Loads the Markdown renderer. Until then, text is shown unformatted. */
export async function loadMarkdown(): Promise<void> {
  loaded ??= (await import('@earendil-works/pi-tui/dist/components/markdown.js')).Markdown
}

/** The lines of chunks that were drawn before, by width, theme and text. */
export type DrawnChunks = Map<string, readonly string[]>

/** Width, theme and time for drawing Markdown in one frame, and the chunks that were drawn before. */
export type MarkdownStyle = {
  readonly width: number
  readonly theme: Theme
  readonly budget: FrameBudget
  readonly chunks: DrawnChunks
}

/** A Markdown text that may still grow. Its finished chunks are drawn once. If there is no time, the rest is drawn in later frames. */
export class GrowingMarkdown {
  readonly #chunks = new MarkdownChunks()

  /** The lines of the text, which must begin with the text of the last call. */
  render(text: string, style: MarkdownStyle): string[] {
    const lines: string[] = []
    for (const chunk of this.#chunks.update(text)) {
      const own = drawnChunk(chunk, style)
      if (own === undefined) break
      if (lines.length > 0 && own.length > 0) lines.push('')
      for (const line of own) lines.push(line)
    }
    return lines
  }
}

/** The lines of a whole text in Markdown. */
export function renderMarkdown(text: string, width: number, theme: Theme): string[] {
  if (loaded === undefined) return text.split('\n').flatMap((line) => wrapTextWithAnsi(line, width))
  const rendered = new loaded(
    text,
    0,
    0,
    markdownTheme(() => theme),
    undefined,
    {
      preserveOrderedListMarkers: true,
      renderLatex: false,
    },
  ).render(width)
  const lines = withoutFences(rendered)
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines
}

/** The drawn lines, or undefined when this frame has no time left. */
function drawnChunk(chunk: string, { width, theme, budget, chunks }: MarkdownStyle): readonly string[] | undefined {
  const key = `${width} ${theme.name} ${chunk}`
  let lines = chunks.get(key)
  if (lines === undefined) {
    if (!budget.hasTime()) return undefined
    lines = renderMarkdown(chunk, width, theme)
  }
  chunks.set(key, lines)
  return lines
}

/** The longest time for drawing one frame. Keys that are pressed during that time have to wait. */
const FRAME_MS = 12

/** The time that a frame has for new content. The rest is drawn in the next frame. */
export class FrameBudget {
  readonly #end: number
  #missed = 0

  constructor(frameMs = FRAME_MS) {
    this.#end = performance.now() + frameMs
  }

  hasTime(): boolean {
    if (performance.now() < this.#end) return true
    this.#missed++
    return false
  }

  /** How many pieces were left for the next frame. */
  get missed(): number {
    return this.#missed
  }
}

/** A budget without a limit, for short content. */
export const NO_LIMIT = new FrameBudget(Number.POSITIVE_INFINITY)
