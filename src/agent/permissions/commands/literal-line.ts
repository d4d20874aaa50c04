import { join, resolve } from 'node:path'
import { type ShellToken, shellTokens, type Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { oneLine } from '../../../model/text.ts'

/** A redirection of a command. A digit as the target of `>&` names a stream, not a file. */
export type Redirect = { readonly operator: string; readonly target: Word }

/** A command whose words the shell passes on as they are. Only `*` and `?` may still stand for names of files. */
export type LiteralCommand = {
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  /** The absolute folders in which it may run: a `cd` before it may have failed. */
  readonly folders: readonly string[]
}

/** The commands of a line, or the part of it that we do not read: from there on, its text does not show what it does. */
export type LineReading = { readonly commands: readonly LiteralCommand[] } | { readonly unread: string }

/** Longer lines are not read: nobody writes them by hand, and reading must not take long. */
const MOST_CHARACTERS = 10_000
const MOST_TOKENS = 500
const MOST_FOLDERS = 8

/**
 * Reads a line of literal commands, joined by pipes, `&&`, `||`, `;` and line ends. Variables, substitutions, blocks, braces,
 * here-documents, functions and everything else that makes a shell a language are not read.
 */
export function readLine(text: string, place: { readonly workspace: string; readonly home: string }): LineReading {
  if (text.length > MOST_CHARACTERS) return { unread: 'a very long line' }
  const end = literalEnd(text)
  if (end < text.length) return { unread: oneLine(text.slice(end), 40) }
  const tokens = shellTokens(text)
  const parts = tokens.length > MOST_TOKENS ? undefined : partsOf(tokens)
  if (parts === undefined) return { unread: oneLine(text, 40) }
  const commands: LiteralCommand[] = []
  let folders: readonly string[] = [place.workspace]
  let seen: readonly string[] = folders
  for (const { words, redirects, before, after } of parts) {
    // Only after `&&` it is certain that the command before it succeeded.
    if (before !== '&&') folders = seen
    commands.push({ words, redirects, folders })
    if (words[0]?.text !== 'cd') continue
    const to = folderOf(words, place.home)
    if (to === undefined) return { unread: words.map(({ text }) => text).join(' ') }
    const entered = folders.map((folder) => resolve(folder, to))
    seen = [...new Set([...seen, ...entered])]
    folders = after === '&&' && before !== '|' ? entered : seen
    if (seen.length > MOST_FOLDERS) return { unread: 'many folders' }
  }
  return { commands }
}

/** The command of a line that is one literal command: nothing else may run outside of the sandbox. */
export function commandAlone(text: string, place: Parameters<typeof readLine>[1]): LiteralCommand | undefined {
  const reading = readLine(text, place)
  return 'commands' in reading && reading.commands.length === 1 ? reading.commands[0] : undefined
}

/** A word as a path: `~` is the home folder. */
export function fromHome(text: string, home: string): string {
  return text === '~' || text.startsWith('~/') ? join(home, text.slice(1)) : text
}

/** The folder of a `cd`; undefined if it is not written in the line. */
function folderOf([, target, ...more]: readonly Word[], home: string): string | undefined {
  if (target === undefined) return home
  return more.length > 0 || target.open || target.text === '' || target.text.startsWith('-')
    ? undefined
    : fromHome(target.text, home)
}

/** The index of the first character that makes a line more than literal commands; its length if there is none. */
function literalEnd(text: string): number {
  let at = 0
  while (at < text.length) {
    LITERAL.lastIndex = at
    if (!LITERAL.test(text)) return at
    at = LITERAL.lastIndex
  }
  return at
}

/**
 * One piece of a literal line: plain characters, quotes without expansions, escapes, the command `[`, comments. The lexer alone
 * is not strict enough, because it finds facts in any text. `\r` is a blank for the lexer but not for bash.
 */
const LITERAL = new RegExp(
  [
    String.raw`[^'"\\$\x60(){}[\]#\0-\x08\x0b-\x1f\x7f]+`,
    String.raw`'[^'\0]*'`,
    String.raw`"(?:[^"\\$\x60\0]|\\[^\n\r\0])*"`,
    String.raw`\\[^\n\r\0]`,
    String.raw`(?<=[ \t])\\\n`,
    String.raw`(?<![^ \t\n;&|])\[(?=[ \t])`,
    String.raw`(?<=[ \t])\](?![^ \t\n;&|])`,
    String.raw`(?<=^|[^\\][ \t\n;&|])#[^\n]*`,
    String.raw`(?<=[^ \t\n;&|<>])#`,
  ].join('|'),
  'y',
)

type LinePart = {
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  readonly before: string
  readonly after: string
}

const JOINS: ReadonlySet<string> = new Set(['|', '|&', '&&', '||', ';', '&', '\n'])

/** The commands between the operators; undefined for operators of blocks, here-documents and words that are not literal. */
function partsOf(tokens: readonly ShellToken[]): readonly LinePart[] | undefined {
  const parts: LinePart[] = []
  let words: Word[] = []
  let redirects: Redirect[] = []
  let open: string | undefined
  let before = '\n'
  const end: ShellToken = { type: 'operator', text: '\n' }
  for (const token of [...tokens, end]) {
    if (token.type === 'heredoc') return undefined
    if (token.type === 'redirect') {
      if (open !== undefined) return undefined
      open = token.text
    } else if (token.type === 'word') {
      if (!isLiteral(token)) return undefined
      // bash expands the target of `>&` a second time, also if it is quoted.
      if (open !== undefined && !/^[\w@%+=:,./~ -]+$/.test(token.text)) return undefined
      if (open === undefined) words.push(token)
      else redirects.push({ operator: open, target: token })
      open = undefined
    } else {
      if (!JOINS.has(token.text) || open !== undefined) return undefined
      // A line end after an operator continues the line.
      if (words.length > 0 || redirects.length > 0) {
        parts.push({ words: withoutSettings(words), redirects, before, after: token.text })
        before = token.text
      }
      words = []
      redirects = []
    }
  }
  return parts.every(({ words }) => words.length > 0) ? parts : undefined
}

/** A glob must not become an option: `*` may stand for a file that is called `-o`, but `--include=*.ts` stays one. `*` before `..` may be a link to any folder. */
function isLiteral({ text, open }: Word): boolean {
  if (/^~[^/]/.test(text)) return false
  const glob = text.search(/[*?]/)
  return !open || (glob !== -1 && !text.includes('..', glob) && !/^-(?!-[a-z-]+=)|\$/.test(text))
}

const SETTING = /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|TZ|LANG|LC_ALL|RUST_BACKTRACE|COLUMNS|TERM)=/

/** Words without variables before them that change what is printed, and not what is run. */
export function withoutSettings(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !SETTING.test(text))
  return first === -1 ? [] : words.slice(first)
}
