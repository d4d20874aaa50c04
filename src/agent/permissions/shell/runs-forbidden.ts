import type { Word } from '../../../engine/facts/shell/shell-lexer.ts'
import { codeTokens } from './code-tokens.ts'
import { HAS_COMMANDS, RUNS_NOTHING } from './command-kinds.ts'
import type { Finding } from './finding.ts'
import { gitCommandAt } from './git-command.ts'
import { nameOf, type ShellRun } from './shell-run.ts'
import { type ShellWord, textWord } from './shell-word.ts'
import { canMeet, exactText, literal, sequencesMeet, type TextShape, wildcardShape } from './text-shape.ts'

/** Whether a command is, or may be, what a pattern of words forbids: `*` stands for any words. */
export function runsForbidden(pattern: readonly Word[], run: ShellRun): Finding | undefined {
  const words = named(run)
  if (words.length === 0) return undefined
  const variants = commandVariants(pattern, words)
  const source = run.words.map(({ source }) => source).join(' ')
  if (variants.some((variant) => isForbidden(pattern, variant))) return { answer: 'yes', source }
  if (variants.some((variant) => mayBeForbidden(pattern, variant))) return { answer: 'maybe', source }
  return mentioned(pattern, run) ? { answer: 'maybe', source } : undefined
}

/** The words with the name of the command in the place of its path. */
function named(run: ShellRun): readonly ShellWord[] {
  const [first, ...rest] = run.words
  const name = nameOf(run)
  if (first === undefined) return []
  const command = name === undefined ? { ...first, shapes: first.shapes.map(lastSegment) } : textWord(name)
  return [{ ...command, source: first.source }, ...rest]
}

const isOption = (text: string | undefined) => text !== undefined && /^-./.test(text)

/**
 * A command, and the same without the options of git, npm, docker and their like that stand before the command of their
 * own: `git -C . push`. Of git it is known which take a value; of others each may.
 */
function commandVariants(pattern: readonly Word[], words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const [name, ...rest] = words
  if (name === undefined || pattern.length < 2 || isOption(pattern[1]?.text) || !isOption(rest[0]?.text)) return [words]
  if (name.text === 'git') return [[name, ...rest.slice(gitCommandAt(rest))]]
  const isLeading = (at: number) => isOption(rest[at]?.text) || isOption(rest[at - 1]?.text)
  const variants = [words]
  for (let at = 0; at < Math.min(rest.length, MOST_OPTIONS) && isLeading(at); at++) {
    variants.push([name, ...rest.slice(at + 1)])
  }
  return variants
}

const MOST_OPTIONS = 30

/** In any order of options: `rm -r -f x` is `rm -rf *`. */
function isForbidden(pattern: readonly Word[], words: readonly ShellWord[]): boolean {
  if (matches(pattern, words)) return true
  const wanted = pattern.filter(({ text }) => isOption(text)).flatMap(({ text }) => flags(text))
  const given = new Set(words.flatMap(({ text }) => (isOption(text) ? flags(text ?? '') : [])))
  if (wanted.length === 0 || !wanted.every((flag) => given.has(flag))) return false
  const others = words.filter(({ text }) => !isOption(text))
  return matches(
    pattern.filter(({ text }) => !isOption(text)),
    others,
  )
}

/** `-rf` as `-r` and `-f`. */
function flags(option: string): string[] {
  return option.startsWith('--') ? [option] : [...option.slice(1)].map((letter) => `-${letter}`)
}

const isAnyWords = ({ text, open }: Word) => open && text === '*'

function matches(pattern: readonly Word[], words: readonly ShellWord[]): boolean {
  return sequencesMeet(pattern, words, {
    repeatsA: isAnyWords,
    repeatsB: () => false,
    meet: (part, word) => isAnyWords(part) || (word.text !== undefined && canMeet(shapeOf(part), literal(word.text))),
  })
}

function mayBeForbidden(pattern: readonly Word[], words: readonly ShellWord[]): boolean {
  const others = words.filter(({ text }) => !isOption(text))
  const [first] = words
  const rest = pattern.filter(({ text }) => !isOption(text))
  return mayMatch(pattern, words) || (first !== undefined && rest.length === pattern.length && mayMatch(rest, others))
}

function mayMatch(pattern: readonly Word[], words: readonly ShellWord[]): boolean {
  return sequencesMeet(pattern, words, {
    repeatsA: isAnyWords,
    repeatsB: ({ isMany }) => isMany,
    meet: (part, { shapes, isMany }) => isMany || shapes.some((shape) => canMeet(shapeOf(part), shape)),
  })
}

/** A command that may be a path is compared by its last name, as one that is a path: `$FOLDER/git`. */
function lastSegment(shape: TextShape): TextShape {
  if (exactText(shape) !== undefined) return shape
  const at = shape.findLastIndex((part) => 'text' in part && part.text.includes('/'))
  const last = shape[at]
  if (last !== undefined && 'text' in last)
    return [...literal(last.text.slice(last.text.lastIndexOf('/') + 1)), ...shape.slice(at + 1)]
  const [first, ...rest] = shape
  return first !== undefined && 'hole' in first ? [{ hole: 'any' }, ...rest] : shape
}

function shapeOf({ text, open }: Word): TextShape {
  return open ? wildcardShape(text) : literal(text)
}

/** Whether the words or the code of a command that may run others name what is forbidden. */
function mentioned(pattern: readonly Word[], run: ShellRun): boolean {
  const name = nameOf(run)
  if (name === undefined || RUNS_NOTHING.has(name) || (name === 'git' && !RUNNING_GIT.has(run.words[1]?.text ?? '')))
    return false
  const start = HAS_COMMANDS.has(name) ? 2 : 1
  const texts = run.words.slice(start).flatMap(({ text }) => text ?? [])
  const input = run.input.kind === 'text' && !SHELL_NAMES.test(name) ? [run.input.text] : []
  const sequences = [texts, ...[...texts, ...input, ...run.texts].map(codeTokens)]
  return sequences.some((tokens) =>
    tokens.some((_, at) => startsForbidden(pattern, tokens.slice(at, at + LONGEST_RUN))),
  )
}

/** Commands of git that run other commands. */
const RUNNING_GIT: ReadonlySet<string> = new Set(['bisect', 'submodule', 'rebase', 'difftool', 'filter-branch'])
/** Their input was read as a script. */
const SHELL_NAMES = /^(?:sh|bash|zsh|dash|ksh|ash|fish)$/
const LONGEST_RUN = 20

/** The tokens behind may belong to something else: `["git", "push"], check=True`. */
function startsForbidden(pattern: readonly Word[], tokens: readonly string[]): boolean {
  const [first] = pattern
  const name = tokens[0]?.slice(tokens[0].lastIndexOf('/') + 1) ?? ''
  if (first === undefined || !canMeet(shapeOf(first), literal(name))) return false
  const words = [name, ...tokens.slice(1)].map(textWord)
  const open: readonly Word[] = [...pattern, { type: 'word', text: '*', open: true }]
  return commandVariants(pattern, words).some((variant) => matches(open, variant))
}
