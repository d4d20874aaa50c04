import { basename, resolve } from 'node:path'
import type { Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { fromHome, type LiteralCommand } from './literal-line.ts'
import {
  FIND,
  FORMATTERS,
  GIT,
  isKnownOption,
  type OperandKind,
  PRINTS_VERSION,
  PROGRAMS,
  PROJECT_RUNS,
  type Program,
  type ProgramKind,
  SED_SCRIPT,
  takesNext,
} from './programs.ts'

/** A path that a command reads or changes. `names`: it only lists or tests it. */
export type PathUse = {
  readonly access: 'names' | 'read' | 'edit'
  /** Absolute. In a glob, `*` and `?` stand for characters of names. */
  readonly path: string
  /** The word as written, after the folder: the system follows links before it goes up with `..`. */
  readonly written: string
  readonly isGlob: boolean
  /** It uses everything below the path. */
  readonly goesDown: boolean
  /** It may be a part of a text that is not a path: `HEAD:a.ts`. */
  readonly isPart: boolean
  /** Only git knows which versions of which files it prints. */
  readonly isOfGit?: true
}

/** The effects of a literal command. `kind` is undefined if it is not plain: its words do not show what it runs. */
export type CommandUse = {
  readonly kind: ProgramKind | undefined
  readonly paths: readonly PathUse[]
  /** The files that the shell opens for it. */
  readonly redirects: readonly PathUse[]
}

/** Reads a literal command: a plain one by the table of programs; of others, each word may be a path. */
export function commandUse(command: LiteralCommand, home: string): CommandUse {
  const words = withoutTimer(command.words)
  const redirects = command.redirects.flatMap((redirect) => redirectUse(redirect, command.folders, home))
  const use = plainUse(words, command.folders, home)
  const isHidden = [...use.paths, ...redirects].some(({ path }) => SPECIAL.test(path))
  return { kind: isHidden ? undefined : use.kind, paths: use.paths, redirects }
}

/** The words of a command without `time` and `timeout 60` before it. */
export function withoutTimer(words: readonly Word[]): readonly Word[] {
  const [first, second] = words
  if (first?.text === 'time' && second?.text.startsWith('-') === false) return words.slice(1)
  return first?.text === 'timeout' && /^\d+[smh]?$/.test(second?.text ?? '') ? words.slice(2) : words
}

/** Links of the system that lead anywhere, such as the folder of a process. */
const SPECIAL = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/

type Plain = { readonly kind: ProgramKind | undefined; readonly paths: readonly PathUse[] }

function plainUse(words: readonly Word[], folders: readonly string[], home: string): Plain {
  const [name, ...rest] = words
  const at = { folders, home }
  const text = words.map((word) => (/\s/.test(word.text) ? '\0' : word.text)).join(' ')
  if (name === undefined || name.open) return { kind: undefined, paths: pathsIn(words, 'read', at) }
  if (PRINTS_VERSION.test(text)) return { kind: 'looks', paths: [] }
  if (PROJECT_RUNS.test(text))
    return FORMATTERS.test(text)
      ? { kind: 'runs', paths: [...pathsIn(rest, 'edit', at, true), ...folderUses('edit', at)] }
      : { kind: 'runs', paths: pathsIn(rest, 'read', at) }
  if (name.text === 'git') return gitUse(rest, at)
  if (name.text === 'find') return namesUse(rest, at, (option) => !/^-\D/.test(option) || FIND.has(option))
  if (name.text === 'sed') return sedUse(rest, at)
  // `-v` and `-R` of test evaluate an array index, and with it any command.
  if (name.text === '[' || name.text === 'test') return namesUse(rest, at, (option) => !/^-[vR]$/.test(option))
  const program = PROGRAMS.get(name.text)
  return program === undefined
    ? { kind: undefined, paths: pathsIn(rest, 'read', at) }
    : programUse(program, rest, at, name.text === 'ls')
}

type At = { readonly folders: readonly string[]; readonly home: string; readonly isOfGit?: true }

function programUse(program: Program, words: readonly Word[], at: At, takesAnyName = false): Plain {
  const { kind, operands: takes, goesDown } = program
  const end = words.findIndex(({ text }) => text === '--')
  const isOption = ({ text }: Word, i: number) => /^-./.test(text) && (end === -1 || i < end)
  const options = words.filter(isOption).map(({ text }) => text)
  const operands = words.filter((word, i) => i !== end && !isOption(word, i))
  const isPlain =
    options.every((option) => isKnownOption(option, program.options)) &&
    // An option before `--` may take it as its value, and then the next words are options, too.
    operands.every(({ text, open }) => !/^-./.test(text) && (!open || takesAnyName || !/^[*?]/.test(text))) &&
    // A glob may be any number of operands.
    program.accepts?.(operands.map(({ text }) => text)) !== false &&
    (program.accepts === undefined || operands.every(({ open }) => !open))
  if (!isPlain) return { kind: undefined, paths: pathsIn(words, 'read', at) }
  const isDeep = goesDown?.(options) ?? false
  const files = filesOf(takes, operands, options)
  // Of the known options, only `-f` names a file.
  const values = words.filter((word, i) => isOption(word, i) && /^-\w*f/.test(word.text))
  const isValue = (word: Word) => takesNext(words[words.indexOf(word) - 1]?.text ?? '', program.options)
  const roots = filesOf(
    takes,
    operands.filter((word) => !isValue(word)),
    options,
  ).flatMap(({ words: of }) => of)
  return {
    kind,
    paths: [
      ...pathsIn(values, 'read', at).map((use) => ({ ...use, isPart: true })),
      ...files.flatMap(({ words: of, access }) => pathsIn(of, access, at, isDeep)),
      // Without a folder, a search looks below the folder in which it runs.
      ...(isDeep && (roots.length === 0 || at.isOfGit) ? folderUses(takes === 'changed' ? 'edit' : 'read', at) : []),
    ],
  }
}

type Files = { readonly words: readonly Word[]; readonly access: PathUse['access'] }

function filesOf(takes: OperandKind, operands: readonly Word[], options: readonly string[]): readonly Files[] {
  if (takes === 'text') return []
  if (takes === 'copied' || takes === 'moved')
    return [
      { words: operands.slice(0, -1), access: takes === 'copied' ? 'read' : 'edit' },
      { words: [...operands.slice(-1), ...copiesIn(operands)], access: 'edit' },
    ]
  const startsWithPattern = takes === 'pattern' && !options.some((option) => /^-\w*[ef]/.test(option))
  const access = takes === 'names' ? 'names' : takes === 'changed' ? 'edit' : 'read'
  return [{ words: startsWithPattern ? operands.slice(1) : operands, access }]
}

/** If the last operand is a folder, the others get a place in it. */
function copiesIn(operands: readonly Word[]): readonly Word[] {
  const folder = operands.at(-1)
  return operands.slice(0, -1).map((word) => ({ ...word, text: `${folder?.text}/${basename(word.text)}` }))
}

const HERE: Word = { type: 'word', text: '.', open: false }

/** Everything below the folders in which a command runs. */
function folderUses(access: PathUse['access'], at: At): readonly PathUse[] {
  return pathsIn([HERE], access, at, true)
}

/** The command of git and its words, without the options before it; undefined if one of these is not known to be harmless. */
export function gitCommand(words: readonly Word[]): { at: number; folder: string | undefined } | undefined {
  let folder: string | undefined
  for (let at = 0; at < words.length; at++) {
    const { text = '' } = words[at] ?? {}
    if (!text.startsWith('-')) return { at, folder }
    if (text === '-C' && words[at + 1]?.open === false && folder === undefined) folder = words[++at]?.text
    else if (!GIT_OPTIONS.has(text)) return undefined
  }
  return undefined
}

const GIT_OPTIONS: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'])

function gitUse(words: readonly Word[], { folders, home }: At): Plain {
  const found = gitCommand(words)
  const program = found && GIT.get(words[found.at]?.text ?? '')
  const folder = found?.folder
  const inner = folder === undefined ? folders : folders.map((each) => resolve(each, fromHome(folder, home)))
  const at: At = { folders: inner, home, isOfGit: true }
  if (found === undefined || program === undefined)
    return { kind: undefined, paths: pathsIn(words, 'read', { folders: [...folders, ...inner], home }) }
  const use = programUse(program, words.slice(found.at + 1), at)
  const entered = folder === undefined ? [] : folderUses('names', at)
  return { kind: use.kind, paths: [...entered, ...use.paths] }
}

/** A program that prints or tests names, if all its words are literal and harmless. */
function namesUse(words: readonly Word[], at: At, isHarmless: (text: string) => boolean): Plain {
  const isKnown = words.every(({ text, open }) => !open && isHarmless(text))
  return { kind: isKnown ? 'looks' : undefined, paths: pathsIn(words, isKnown ? 'names' : 'read', at) }
}

function sedUse(words: readonly Word[], at: At): Plain {
  const hasScripts = words.some(({ text }) => text === '-e')
  const operands = words.filter(({ text }) => !/^-./.test(text))
  const isScript = (word: Word, i: number) => (hasScripts ? words[i - 1]?.text === '-e' : word === operands[0])
  const isKnown = words.every((word, i) =>
    isScript(word, i)
      ? !word.open && SED_SCRIPT.test(word.text)
      : !/^-./.test(word.text) || /^-[nEre]+$|^-i$/.test(word.text),
  )
  const isGlobbed = words.some(({ text, open }) => open && /^[*?]/.test(text))
  const edits = words.some(({ text }) => text.startsWith('-i'))
  const files = words.filter((word, i) => !isScript(word, i) && !/^-./.test(word.text))
  if (!isKnown || isGlobbed || words.some(({ text }) => /^-\w+e/.test(text)))
    return { kind: undefined, paths: pathsIn(words, 'read', at) }
  return { kind: edits ? 'writes' : 'looks', paths: pathsIn(files, edits ? 'edit' : 'read', at) }
}

function redirectUse(
  { operator, target }: LiteralCommand['redirects'][number],
  folders: readonly string[],
  home: string,
): readonly PathUse[] {
  if (operator === '<<<' || (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text))) return []
  const isRead = operator === '<' || operator === '<&'
  return pathsIn([target], isRead ? 'read' : 'edit', { folders, home }).filter(({ isPart }) => !isPart)
}

const LONGEST_PATH = 4_096
const NO_FILE = /^https?:\/\/\S*$|^\/dev\/(?:null|stdout|stderr)$/

/** The paths that words may be, from each folder: the whole word, and parts of it (`--file=x`, `-fx`, `@x`, `HEAD:x`). */
function pathsIn(
  words: readonly Word[],
  access: PathUse['access'],
  { folders, home, isOfGit }: At,
  goesDown = false,
): readonly PathUse[] {
  const seen = new Set<string>()
  return words.flatMap(({ text, open }) => {
    if (text === '' || text.length > LONGEST_PATH || seen.has(text) || NO_FILE.test(text)) return []
    seen.add(text)
    return partsOf(text).flatMap(([part, isPart]) =>
      folders.map((folder): PathUse => {
        const path = fromHome(part, home)
        return {
          access,
          path: resolve(folder, path),
          written: path.startsWith('/') ? path : `${folder}/${path}`,
          isGlob: open,
          goesDown,
          isPart,
          ...(isOfGit ? { isOfGit } : {}),
        }
      }),
    )
  })
}

function partsOf(text: string): readonly (readonly [string, boolean])[] {
  const marks = [...text.matchAll(/[=@:,]/g)].slice(0, 20)
  const parts = [
    ...marks.map(({ index }) => text.slice(index + 1)),
    ...marks.map(({ index }) => text.slice(0, index)),
    ...(/^-[a-zA-Z]./.test(text) ? [text.slice(2)] : []),
  ]
  const whole = text.startsWith('-') ? [] : [[text, false] as const]
  return [
    ...whole,
    ...parts.filter((part) => part !== '' && !part.startsWith('-')).map((part) => [part, true] as const),
  ]
}
