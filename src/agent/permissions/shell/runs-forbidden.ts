import type { Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { codeTokens, GIVEN_FILES, HAS_COMMANDS, INTERPRETERS, RUNS_NOTHING, SHELLS } from './command-kinds.ts'
import { gitCommandAt } from './git-runs.ts'
import { onlyChecks } from './launched.ts'
import type { ScriptPlace } from './read-script.ts'
import { type Finding, nameOf, type ShellRun, type ShellWord, textWord } from './shell-word.ts'
import {
  canMeet,
  exactText,
  literal,
  pathShape,
  processPath,
  sequencesMeet,
  type TextShape,
  wildcardShape,
} from './text-shape.ts'

/** The programs in the options of a tool that otherwise takes only files: `tar -I PROGRAM`, `rsync -e PROGRAM`. */
export function optionPrograms(name: string, words: readonly ShellWord[]): string[] {
  const option = NAMES_PROGRAM.get(name)
  if (option === undefined) return []
  return words.flatMap(({ text }, at) => {
    const [isGiven, attached] = option.exec(text ?? '') ?? []
    if (isGiven === undefined) return []
    return (attached === '' ? words[at + 1]?.text : attached) ?? []
  })
}

const WRAPPER = /^-wrapper()$/
const NAMES_PROGRAM: ReadonlyMap<string, RegExp> = new Map([
  [
    'tar',
    /^(?:-[a-zA-Z]*?[IF]|--(?:use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command)(?:=|$))(.*)$/s,
  ],
  ['rsync', /^(?:-[a-zA-Z]*?e|--(?:rsh|rsync-path)(?:=|$))(.*)$/s],
  ['scp', /^-[a-zA-Z]*?S(.*)$/s],
  ['gcc', WRAPPER],
  ['g++', WRAPPER],
  ['cc', WRAPPER],
])

/** Whether a command is, or may be, what a pattern of words forbids. `*` matches any words. */
export function runsForbidden(written: readonly Word[], run: ShellRun, place: ScriptPlace): Finding | undefined {
  const findings = patternsOf(written).flatMap((pattern) => found(pattern, run, place) ?? [])
  return findings.find(({ answer }) => answer === 'yes') ?? findings[0]
}

/** The patterns that mean the same: a script with and without a shell before it, and a system program by its name alone. */
function patternsOf(pattern: readonly Word[]): readonly (readonly Word[])[] {
  const [first, second] = pattern
  const [, name] = /^\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/([^/*]+)$/.exec(first?.text ?? '') ?? []
  if (first === undefined) return [pattern]
  if (name !== undefined) return [[{ ...first, text: name }, ...pattern.slice(1)]]
  if (second === undefined || isOption(second.text) || isAnyWords(second) || !RUNS_SCRIPT.test(first.text))
    return [pattern]
  const text = second.text.includes('/') ? second.text : `./${second.text}`
  return [pattern, [{ ...second, text }, ...pattern.slice(2)]]
}

const RUNS_SCRIPT = /^(?:sh|bash|zsh|dash|ksh|ash|fish|source|\.)$/

function found(pattern: readonly Word[], run: ShellRun, place: ScriptPlace): Finding | undefined {
  const [first] = pattern
  const rule: CommandRule = {
    pattern,
    program: first === undefined ? undefined : ruleProgram(first, place),
    workspace: literal(place.workspace),
    folders: run.folders,
  }
  const words = named(rule, run)
  const variants = mayBegin(pattern, words) ? commandVariants(pattern, words) : []
  const source = run.words.map(({ source }) => source).join(' ')
  if (variants.some((variant) => isForbidden(rule, variant))) return { answer: 'yes', source }
  if (variants.some((variant) => mayBeForbidden(rule, variant))) return { answer: 'maybe', source }
  return mentioned(rule, run) ? { answer: 'maybe', source } : undefined
}

/** Most commands have another name than the pattern, so only the others are compared word by word. */
function mayBegin([first]: readonly Word[], [name]: readonly ShellWord[]): boolean {
  if (first === undefined || name === undefined) return false
  return isAnyWords(first) || name.isMany || name.shapes.some((shape) => canMeet(shapeOf(first), shape))
}

/** A pattern, and the folders that its words and those of a command are relative to. */
type CommandRule = {
  readonly pattern: readonly Word[]
  /** The program of its first word, if that is a path. */
  readonly program: RuleProgram | undefined
  readonly workspace: TextShape
  readonly folders: readonly TextShape[]
}

/** The words with the command's name instead of its path. If the pattern names a path, they are empty unless the command is that path. */
function named({ pattern, program, folders }: CommandRule, run: ShellRun): readonly ShellWord[] {
  const [first, ...rest] = run.words
  if (first === undefined) return []
  if (program !== undefined) {
    const answer = isProgram(program, first, folders)
    const same = textWord(pattern[0]?.text ?? '')
    return answer === undefined ? [] : [answer === 'yes' ? same : { ...same, text: undefined }, ...rest]
  }
  const name = nameOf(run)
  const command = name === undefined ? { ...first, shapes: first.shapes.map(lastSegment) } : textWord(name)
  return [{ ...command, source: first.source }, ...rest]
}

const isOption = (text: string | undefined) => text !== undefined && /^-./.test(text)

/**
 * A command, and the same without the options of git, npm, docker and similar tools before their subcommand: `git -C . push`.
 * For git we know which options take a value; for the others, each option may.
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

/** The order of options does not count: `rm -r -f x` matches `rm -rf *`. */
function isForbidden(rule: CommandRule, words: readonly ShellWord[]): boolean {
  const { pattern } = rule
  if (matches(rule, words)) return true
  const wanted = pattern.filter(({ text }) => isOption(text)).flatMap(({ text }) => flags(text))
  const given = new Set(words.flatMap(({ text }) => (isOption(text) ? flags(text ?? '') : [])))
  if (wanted.length === 0 || !wanted.every((flag) => given.has(flag))) return false
  const others = withoutOptions(words)
  return matches({ ...rule, pattern: pattern.filter(({ text }) => !isOption(text)) }, others)
}

function withoutOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.filter(({ text }, at) => at === 0 || !isOption(text))
}

/** `-rf` as `-r` and `-f`. */
function flags(option: string): string[] {
  return option.startsWith('--') ? [option] : [...option.slice(1)].map((letter) => `-${letter}`)
}

const isAnyWords = ({ text, open }: Word) => open && text === '*'

function matches(rule: CommandRule, words: readonly ShellWord[]): boolean {
  return sequencesMeet(rule.pattern, words, {
    repeatsA: isAnyWords,
    repeatsB: () => false,
    meet: (part, word) =>
      isAnyWords(part) ||
      (word.text !== undefined &&
        (canMeet(shapeOf(part), literal(word.text)) || isSamePath(rule, part, literal(word.text)))),
  })
}

function mayBeForbidden(rule: CommandRule, words: readonly ShellWord[]): boolean {
  const others = withoutOptions(words)
  const rest = rule.pattern.filter(({ text }) => !isOption(text))
  return mayMatch(rule, words) || (rest.length === rule.pattern.length && mayMatch(rule, others))
}

function mayMatch(rule: CommandRule, words: readonly ShellWord[]): boolean {
  return sequencesMeet(rule.pattern, words, {
    repeatsA: isAnyWords,
    repeatsB: ({ isMany }) => isMany,
    meet: (part, { shapes, isMany }) =>
      isMany || shapes.some((shape) => canMeet(shapeOf(part), shape) || isSamePath(rule, part, shape)),
  })
}

/** Whether an argument is the same path as a word of the pattern: `./data/` is `data`. */
function isSamePath({ pattern, workspace, folders }: CommandRule, part: Word, shape: TextShape): boolean {
  const start = shape[0] !== undefined && 'text' in shape[0] ? shape[0].text : ''
  if (part === pattern[0] || isOption(part.text) || isOption(start)) return false
  if (!part.text.includes('/') && !shape.some((each) => 'text' in each && each.text.includes('/'))) return false
  const path = pathShape(workspace, shapeOf(part))
  return folders.some((folder) => canMeet(path, pathShape(folder, shape)))
}

/** A command that may be a path is compared by its last name: `$FOLDER/git`. */
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

/** Whether the words or the code of a command that may run others name a forbidden command. */
function mentioned(rule: CommandRule, run: ShellRun): boolean {
  const name = nameOf(run)
  if (name === undefined || RUNS_NOTHING.has(name) || (name === 'git' && !runsOthers(run.words.slice(1)))) return false
  if (SHELLS.has(name) && onlyChecks(run.words.slice(1))) return false
  const start = HAS_COMMANDS.has(name) ? 2 : 1
  const isGiven = rule.program !== undefined && GIVEN_FILES.has(name)
  const words = isGiven ? run.words.filter((_, i) => !isOnlyGiven(run.words, i)) : run.words
  const programs = isGiven ? optionPrograms(name, run.words) : []
  const texts = [...words.slice(start).flatMap(({ text }) => text ?? []), ...programs]
  const input = run.input.kind === 'text' && !SHELLS.has(name) ? [run.input.text] : []
  const sequences = [texts, ...[...texts, ...input, ...run.texts].map(codeTokens)]
  return sequences.some((tokens) =>
    tokens.some((token, at) => {
      const runsFile = runsFiles(name) || runsFiles(tokens[at - 1] ?? '')
      // A bare name is a file only for a shell or an interpreter.
      const mayName = rule.program === undefined || token.includes('/') || runsFile
      return mayName && isNamedBy(rule, token) && startsForbidden(rule, tokens.slice(at, at + LONGEST_RUN))
    }),
  )
}

function runsOthers(words: readonly ShellWord[]): boolean {
  return RUNNING_GIT.has(words[gitCommandAt(words)]?.text ?? '')
}

/** Commands of git that run other commands. */
const RUNNING_GIT: ReadonlySet<string> = new Set(['bisect', 'submodule', 'rebase', 'difftool', 'filter-branch'])
const LONGEST_RUN = 20

const runsFiles = (name: string) => RUNS_SCRIPT.test(name) || INTERPRETERS.test(name)

/** True for a word that is a file and not code: `sed -n p FILE`, but not `sed -f FILE`. */
function isOnlyGiven(words: readonly ShellWord[], at: number): boolean {
  const text = words[at]?.text ?? ''
  return at > 0 && codeTokens(text)[0] === text && !/^(?:-[a-zA-Z]*f|--file)$/.test(words[at - 1]?.text ?? '')
}

/** Whether a token is the name or the path of the command that a rule forbids. */
function isNamedBy({ pattern: [first], program, folders }: CommandRule, token: string): boolean {
  if (program !== undefined) return namesProgram(program, literal(token), folders)
  return first !== undefined && canMeet(shapeOf(first), literal(token.slice(token.lastIndexOf('/') + 1)))
}

/** Tokens after the command may belong to something else: `["git", "push"], check=True`. */
function startsForbidden(rule: CommandRule, [command = '', ...rest]: readonly string[]): boolean {
  const { pattern, program } = rule
  const name = program === undefined ? command.slice(command.lastIndexOf('/') + 1) : (pattern[0]?.text ?? '')
  const open: CommandRule = { ...rule, pattern: [...pattern, { type: 'word', text: '*', open: true }] }
  return commandVariants(pattern, [name, ...rest].map(textWord)).some((variant) => matches(open, variant))
}

/** A program that a pattern names by its path: `./deploy.sh`, `scripts/*.sh`, `~/bin/deploy`. */
type RuleProgram = {
  readonly path: TextShape
  /** The same path under other names of the workspace, because links may lead to it. */
  readonly linked: TextShape | undefined
  readonly name: string
}

/** The program of a pattern's first word, relative to the workspace; undefined for a bare name. */
export function ruleProgram({ text }: Word, { workspace }: ScriptPlace): RuleProgram | undefined {
  if (!text.includes('/')) return undefined
  const inside = text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text
  const linkedFolder: TextShape = [{ hole: 'any' }, { text: `/${workspace.split('/').at(-1)}` }]
  return {
    path: pathShape(literal(workspace), wildcardShape(text)),
    linked: inside.startsWith('/') ? undefined : pathShape(linkedFolder, wildcardShape(inside)),
    name: text.slice(text.lastIndexOf('/') + 1),
  }
}

/** Whether a command is this program. A bare name may be it, too, because the PATH may lead there. */
export function isProgram(
  program: RuleProgram,
  { shapes, text }: ShellWord,
  folders: readonly TextShape[],
): 'yes' | 'maybe' | undefined {
  const isBare = text !== undefined && !text.includes('/')
  if (isBare)
    return !RUNS_NOTHING.has(text) && canMeet(wildcardShape(program.name), literal(text)) ? 'maybe' : undefined
  if (!shapes.some((shape) => namesProgram(program, shape, folders))) return undefined
  return text === undefined || folders.length > 1 ? 'maybe' : 'yes'
}

/** Whether a path relative to one of these folders is that of the program. */
export function namesProgram(
  { path, linked }: RuleProgram,
  written: TextShape,
  folders: readonly TextShape[],
): boolean {
  const shape = processPath(written) ?? written
  const seen = folders.map((folder) => pathShape(folder, shape))
  const isAbsolute = exactText(shape)?.startsWith('/') === true
  return seen.some((one) => canMeet(path, one) || (isAbsolute && linked !== undefined && canMeet(linked, one)))
}
