import { basename, resolve } from 'node:path'
import { shellTokens, type Word } from '../../engine/extract/shell/shell-lexer.ts'
import { fromHome, type LiteralCommand, withoutSettings } from './commands/literal-line.ts'
import { gitCommand, withoutTimer } from './commands/plain-command.ts'
import { PROGRAMS } from './commands/programs.ts'
import { matchesSequence, matchesWildcard } from './wildcard.ts'

type Folders = { readonly workspace: string; readonly home: string }

/**
 * Whether a pattern of an always rule allows a command. `*` as a word matches any arguments; inside a word, it matches any
 * characters. `isExact`: the pattern has no `*`.
 */
export function allowsCommand(
  pattern: string,
  words: readonly Word[],
): { readonly allows: boolean; readonly isExact: boolean } {
  const allowed = plainWords(pattern)
  // A pattern whose command is a wildcard would allow every command.
  if (allowed?.[0]?.open !== false || words.some(({ open }) => open)) return { allows: false, isExact: false }
  return { allows: matchesWords(allowed, words), isExact: allowed.every(({ open }) => !open) }
}

/** True when the words of a pattern match those of a command. A quoted `*` matches only itself. */
function matchesWords(
  pattern: readonly Word[],
  words: readonly Word[],
  isSame: (part: Word, word: Word) => boolean = isSameWord,
): boolean {
  return matchesSequence(pattern, words, { isAny: isAnyWords, isSame })
}

const isAnyWords = ({ text, open }: Word) => open && text === '*'
const isSameWord = (part: Word, { text }: Word) => (part.open ? matchesWildcard(part.text, text) : part.text === text)

/**
 * Whether a never rule forbids a literal command. It forbids the command with any more arguments, too. `maybe`: it has other
 * options than the rule, which may mean the same (`rm --force` and `rm -f`).
 */
export function forbidsCommand(
  pattern: readonly Word[],
  command: LiteralCommand,
  place: Folders,
): 'yes' | 'maybe' | undefined {
  const answers = patternsOf(pattern).flatMap((each) =>
    [command.words, ...variantsOf(each, withoutTimer(command.words))].map((words) =>
      forbids(each, words, command.folders, place),
    ),
  )
  return answers.includes('yes') ? 'yes' : answers.find((answer) => answer !== undefined)
}

function forbids(
  pattern: readonly Word[],
  words: readonly Word[],
  folders: readonly string[],
  place: Folders,
): 'yes' | 'maybe' | undefined {
  const [first, ...wanted] = pattern
  const [name, ...given] = words
  if (first === undefined || name === undefined) return undefined
  const program = isProgram(first, name, folders, place)
  if (program === undefined) return undefined
  const isSame = (part: Word, word: Word) => isSameWord(part, word) || isSamePath(part, word, folders, place)
  const more = (of: readonly Word[]): readonly Word[] => [...of, { type: 'word', text: '*', open: true }]
  if (matchesWords(more(wanted), given, isSame)) return program
  // A glob may stand for what the rule names.
  if (given.some(({ open }) => open)) return 'maybe'
  const operands = given.filter(({ text }) => !isOption(text))
  if (!matchesWords(more(wanted.filter(({ text }) => !isOption(text))), operands, isSame)) return undefined
  // The order of options does not count: `rm -r -f x` is `rm -rf *`.
  const needed = flagsOf(wanted)
  const present = flagsOf(given)
  if (needed.every((flag) => present.includes(flag))) return needed.length === 0 ? 'maybe' : program
  return present.some((flag) => !needed.includes(flag)) ? 'maybe' : undefined
}

const isOption = (text: string) => /^-./.test(text)

/** `-rf` as `-r` and `-f`. */
function flagsOf(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text }) => {
    if (!isOption(text)) return []
    return text.startsWith('--') ? [text] : [...text.slice(1)].map((letter) => `-${letter}`)
  })
}

/** The patterns that mean the same: a script with and without a shell before it, and a system program by its name alone. */
function patternsOf(pattern: readonly Word[]): readonly (readonly Word[])[] {
  const [first, second] = pattern
  if (first === undefined) return [pattern]
  if (/^\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/[^/*]+$/.test(first.text))
    return [[{ ...first, text: basename(first.text) }, ...pattern.slice(1)]]
  if (second === undefined || isOption(second.text) || isAnyWords(second) || !RUNS_SCRIPT.test(first.text))
    return [pattern]
  return [pattern, [scriptWord(second), ...pattern.slice(2)]]
}

const RUNS_SCRIPT = /^(?:sh|bash|zsh|dash|ksh|ash|fish|source|\.)$/
const scriptWord = (word: Word): Word => ({ ...word, text: word.text.includes('/') ? word.text : `./${word.text}` })

/** A command; the same without options before a subcommand (`git -C . push`); and the script that a shell is given. */
function variantsOf(pattern: readonly Word[], words: readonly Word[]): readonly (readonly Word[])[] {
  const [name, second, ...rest] = words
  if (name === undefined || second === undefined) return [words]
  if (RUNS_SCRIPT.test(name.text) && !isOption(second.text)) return [words, [scriptWord(second), ...rest]]
  if (!isOption(second.text) || isOption(pattern[1]?.text ?? '')) return [words]
  if (basename(name.text) === 'git') {
    const found = gitCommand(words.slice(1))
    return found === undefined ? [words] : [words, [name, ...words.slice(found.at + 1)]]
  }
  const after = words.findIndex(({ text }, i) => i > 0 && !isOption(text))
  return after === -1 ? [words] : [words, [name, ...words.slice(after)], [name, ...words.slice(after + 1)]]
}

/** Whether a command is the program of a pattern. A bare name may be a program that the pattern names by its path. */
function isProgram(part: Word, name: Word, folders: readonly string[], place: Folders): 'yes' | 'maybe' | undefined {
  const isNamed = (pattern: string) => isSameWord({ ...part, text: pattern }, { ...name, text: basename(name.text) })
  if (!part.text.includes('/')) return isNamed(part.text) ? 'yes' : undefined
  if (name.text.includes('/')) return isSamePath(part, name, folders, place) ? 'yes' : undefined
  return !PROGRAMS.has(name.text) && isNamed(basename(part.text)) ? 'maybe' : undefined
}

/** Whether an argument is the same path as a word of the pattern: `./data/` is `data`. */
function isSamePath(part: Word, word: Word, folders: readonly string[], { workspace, home }: Folders): boolean {
  if (isOption(part.text) || isOption(word.text) || isAnyWords(part)) return false
  if (!part.text.includes('/') && !word.text.includes('/')) return false
  const path = { ...part, text: resolve(workspace, fromHome(part.text, home)) }
  return folders.some((folder) => isSameWord(path, { ...word, text: resolve(folder, fromHome(word.text, home)) }))
}

/** The words of a pattern for a single command without redirections; undefined for one that is compound, expanded or not closed. */
export function plainWords(command: string): readonly Word[] | undefined {
  // The lookbehind makes the search start only once for each run of blanks. From each blank, it would take seconds.
  const text = command.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')
  if (text === '' || !PLAIN.test(text)) return undefined
  const tokens = shellTokens(text)
  return tokens.every((token) => token.type === 'word') ? withoutSettings(tokens) : undefined
}

/** No special characters of the shell outside of quotes, no expansions inside double quotes, and every quote closed. */
const PLAIN =
  /^(?:[^'"\\$`;&|()<>#\0-\u0008\n-\u001f\u007f]|'[^'\0-\u0008\n-\u001f\u007f]*'|"[^"\\$`\0-\u0008\n-\u001f\u007f]*")*$/
