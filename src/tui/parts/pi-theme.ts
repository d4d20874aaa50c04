import type { EditorTheme } from '@earendil-works/pi-tui/dist/components/editor.js'
import type { MarkdownTheme } from '@earendil-works/pi-tui/dist/components/markdown.js'
import type { SelectListTheme } from '@earendil-works/pi-tui/dist/components/select-list.js'
import type { Tone } from '../port/port.ts'
import type { Theme } from './theme.ts'

type ThemeNow = () => Theme

/** Themes for the components of pi-tui. They ask for our theme at each use, because it may change while the program runs. */
function selectTheme(now: ThemeNow): SelectListTheme {
  return {
    selectedPrefix: in_('accent', now),
    selectedText: in_('accent', now),
    description: in_('muted', now),
    scrollInfo: in_('muted', now),
    noMatch: in_('muted', now),
  }
}

export function editorTheme(now: ThemeNow): EditorTheme {
  return { borderColor: in_('muted', now), selectList: selectTheme(now) }
}

export function markdownTheme(now: ThemeNow): MarkdownTheme {
  return {
    heading: in_('bold', now),
    link: in_('accent', now),
    linkUrl: in_('muted', now),
    code: in_('code', now),
    codeBlock: in_('code', now),
    codeBlockBorder: (fence) => fenceLine(fence, now),
    quote: in_('muted', now),
    quoteBorder: in_('muted', now),
    hr: in_('muted', now),
    listBullet: in_('accent', now),
    // pi-tui shows the marks (`###`) of deeper headings, but not those of the first two levels. Remove them.
    bold: (text) => (/^#{3,6} $/.test(text) ? '' : sgr(1, 22)(text)),
    italic: sgr(3, 23),
    strikethrough: sgr(9, 29),
    underline: sgr(4, 24),
  }
}

/** Marks a line of a fence without a language. `withoutFences` removes the line. */
const NO_LINE = '\ue0f0'

/** The language of a code block; the fence itself is not shown. */
function fenceLine(fence: string, now: ThemeNow): string {
  const language = fence.replace(/^[`~]+/, '').trim()
  return language === '' ? NO_LINE : now().paint(language, 'muted')
}

/** Rendered Markdown without the lines that only fenced its code. */
export function withoutFences(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.includes(NO_LINE))
}

function in_(tone: Tone, now: ThemeNow): (text: string) => string {
  return (text) => now().paint(text, tone)
}

function sgr(on: number, off: number): (text: string) => string {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`
}
