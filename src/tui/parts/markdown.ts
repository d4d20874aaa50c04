import type { Markdown } from '@earendil-works/pi-tui/dist/components/markdown.js'
import { wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import type { FrameBudget } from './frame-budget.ts'
import { MarkdownChunks } from './markdown-chunks.ts'
import { markdownTheme, withoutFences } from './pi-theme.ts'
import type { Theme } from './theme.ts'

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
