import type { EditorTheme } from '@earendil-works/pi-tui/dist/components/editor.js'
import type { MarkdownTheme } from '@earendil-works/pi-tui/dist/components/markdown.js'
import type { SelectListTheme } from '@earendil-works/pi-tui/dist/components/select-list.js'
import { wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'
import type { Ground, Line, Tone } from '../port/port.ts'
import { codeLines, languageOf } from './syntax.ts'

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
    highlightCode: (code, language = '') => {
      const lines = codeLines(code, languageOf(language))
      return lines?.map((line) => paintLine(line, now())) ?? code.split('\n').map(in_('code', now))
    },
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

export type ThemeName = 'dark' | 'light' | 'none'

/** How a screen is painted. */
export type Theme = {
  readonly name: ThemeName
  readonly paint: (text: string, tone: Tone, ground?: Ground) => string
}

/** Numbers of the 256-colour palette above 15. Their colours are fixed, so a test can compute the contrast. */
export const COLORS: Readonly<Record<'dark' | 'light', Readonly<Partial<Record<Tone, number>>>>> = {
  dark: {
    muted: 246,
    accent: 117,
    hint: 117,
    bar: 75,
    warning: 221,
    critical: 210,
    error: 210,
    success: 114,
    added: 114,
    removed: 210,
    code: 180,
    keyword: 117,
    string: 186,
    number: 217,
    user: 117,
  },
  light: {
    muted: 241,
    accent: 25,
    hint: 25,
    bar: 25,
    warning: 94,
    critical: 124,
    error: 124,
    success: 22,
    added: 22,
    removed: 124,
    code: 54,
    keyword: 25,
    string: 22,
    number: 88,
    user: 25,
  },
}

/** The backgrounds of changed lines. Texts that have no colour of their own, or one that is not seen well there, have another one. */
export const GROUNDS = {
  dark: { added: 22, 'added-word': 22, removed: 52, 'removed-word': 52, plain: 255, muted: 251 },
  light: { added: 194, 'added-word': 194, removed: 224, 'removed-word': 224, plain: 16, muted: 240 },
} as const

const BOLD: ReadonlySet<Tone> = new Set(['bold', 'critical', 'user'])
const ITALIC: ReadonlySet<Tone> = new Set(['hint'])

export function themeOf(name: ThemeName): Theme {
  return { name, paint: (text, tone, ground) => painted(text, codesOf(name, tone, ground)) }
}

/** A line with its colours. */
export function paintLine(line: Line, theme: Theme): string {
  return line.map(([text, tone = 'plain', ground]) => theme.paint(text, tone, ground)).join('')
}

/** The theme for a setting. `auto` follows the terminal's background, and is dark if that is not known. */
export function themeName(setting: string, env: NodeJS.ProcessEnv, isLight = lightBackground(env)): ThemeName {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 'none'
  if (setting === 'dark' || setting === 'light' || setting === 'none') return setting
  return isLight ? 'light' : 'dark'
}

/** `COLORFGBG` ends with the number of the background colour; 7 and 15 are light. */
function lightBackground({ COLORFGBG = '' }: NodeJS.ProcessEnv): boolean {
  return /;(?:7|15)$/.test(COLORFGBG)
}

function codesOf(name: ThemeName, tone: Tone, ground?: Ground): string[] {
  const own = name === 'none' ? undefined : COLORS[name][tone]
  const grounds = name === 'none' || ground === undefined ? undefined : GROUNDS[name]
  const isWord = ground === 'added-word' || ground === 'removed-word'
  const color = grounds !== undefined && (tone === 'plain' || tone === 'muted') ? grounds[tone] : own
  return [
    ...(BOLD.has(tone) || isWord ? ['1'] : []),
    ...(ITALIC.has(tone) ? ['3'] : []),
    ...(isWord ? ['4'] : []),
    ...(color === undefined ? [] : [`38;5;${color}`]),
    ...(grounds === undefined || ground === undefined ? [] : [`48;5;${grounds[ground]}`]),
  ]
}

function painted(text: string, codes: readonly string[]): string {
  return codes.length === 0 || text === '' ? text : `\x1b[${codes.join(';')}m${text}\x1b[0m`
}

/** The lines of a text, broken between words where possible. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width)))
}
