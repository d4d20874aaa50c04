import type { Markdown } from '@earendil-works/pi-tui/dist/components/markdown.js'
import { wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import { markdownTheme } from '../pi-theme.ts'
import type { Theme } from '../theme.ts'
import { MarkdownChunks } from './markdown-chunks.ts'

type MarkdownClass = typeof Markdown
let loaded: MarkdownClass | undefined

/** Loads what renders Markdown; until then text is shown as it is. */
export async function loadMarkdown(): Promise<void> {
  loaded ??= (await import('@earendil-works/pi-tui/dist/components/markdown.js')).Markdown
}

/** A text in Markdown that may still grow. What is finished of it is rendered once. */
export class GrowingMarkdown {
  readonly #chunks = new MarkdownChunks()
  #rendered: { readonly chunk: string; readonly lines: readonly string[] }[] = []
  #key = ''

  /** The lines of a text that begins with the one before. */
  render(text: string, width: number, theme: Theme): string[] {
    const key = `${width} ${theme.name} ${loaded === undefined}`
    if (key !== this.#key) this.#rendered = []
    this.#key = key
    const chunks = this.#chunks.update(text)
    const lines: string[] = []
    chunks.forEach((chunk, i) => {
      let known = this.#rendered[i]
      if (known?.chunk !== chunk) {
        known = { chunk, lines: renderMarkdown(chunk, width, theme) }
        this.#rendered[i] = known
      }
      if (lines.length > 0 && known.lines.length > 0) lines.push('')
      for (const line of known.lines) lines.push(line)
    })
    return lines
  }
}

/** The lines of a whole text in Markdown. */
export function renderMarkdown(text: string, width: number, theme: Theme): string[] {
  if (loaded === undefined) return text.split('\n').flatMap((line) => wrapTextWithAnsi(line, width))
  const lines = new loaded(
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
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines
}
