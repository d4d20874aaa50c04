import { globShape } from './glob-shape.ts'
import { type FileLook, mayExist } from './may-exist.ts'
import { belowShape, pathShape } from './path-shape.ts'
import { nameOf, type ShellRun } from './shell-run.ts'
import type { ShellWord } from './shell-word.ts'
import { literal, type TextShape } from './text-shape.ts'

/** Paths below a folder that a command is given, but for the names that it leaves out. */
export type FolderUse = {
  readonly path: TextShape
  readonly source: string
  readonly leftOut: readonly string[]
}

/** Whether a forbidden path lies below a folder that a command reads. */
export function hasForbidden({ path, leftOut }: FolderUse, forbidden: TextShape, look?: FileLook): boolean {
  const last = forbidden.at(-1)
  const name = last !== undefined && 'text' in last ? last.text.slice(last.text.lastIndexOf('/') + 1) : ''
  return !leftOut.includes(name) && mayExist(forbidden, path, look)
}

/** The paths that a command reads or changes because they lie below a folder that it is given. */
export function foldersRead(run: ShellRun, kind: 'read' | 'edit'): FolderUse[] {
  const name = nameOf(run) ?? ''
  const words = run.words.slice(1)
  const options = words.flatMap(({ text }) => (text?.startsWith('-') ? [text] : []))
  const goesDown = (kind === 'read' ? READS : CHANGES).get(name)
  if (goesDown === undefined || !goesDown(options)) return []
  const isValue = SEARCH_VALUES.get(name)
  const operands = words.filter((word, i) => !isOption(word) && isValue?.test(words[i - 1]?.text ?? '') !== true)
  const folders = SEARCHES.has(name) ? searched(operands, options) : sources(name, operands, options)
  const named = folders.flatMap(({ shapes, source }) => shapes.map((shape) => ({ shape, source })))
  const leftOut = valuesOf('exclude', words)
  const places = named.length === 0 && SEARCHES.has(name) ? [{ shape: literal('.'), source: name }] : named
  return places.flatMap(({ shape, source }) =>
    run.folders.map((from) => ({ path: wanted(belowShape(pathShape(from, shape)), words), source, leftOut })),
  )
}

/** An option, also one with a hole: `--include=*.ts` is a pattern of the shell. */
function isOption({ shapes }: ShellWord): boolean {
  return shapes.every(([first]) => first !== undefined && 'text' in first && first.text.startsWith('-'))
}

type GoesDown = (options: readonly string[]) => boolean

const has = (...names: string[]) => {
  const letters = names.filter((one) => one.length === 1).join('')
  const short = new RegExp(`^-[a-zA-Z.]*[${letters}]`)
  return (options: readonly string[]) =>
    options.some((option) =>
      option.startsWith('--') ? names.includes(option.slice(2).split('=', 1)[0] ?? '') : short.test(option),
    )
}
const always = () => true
const grep = has('r', 'R', 'recursive', 'dereference-recursive')
/** ripgrep leaves out hidden files unless it is told otherwise; others have to be named or ignored by git. */
const ripgrep = (options: readonly string[]) =>
  has('.', 'hidden')(options) ||
  options.join('').match(/u/g)?.length === 2 ||
  /-uu|unrestricted/.test(options.join(' '))

const HAS_TARGET: ReadonlySet<string> = new Set(['cp', 'mv', 'rsync', 'scp', 'ln'])
const SEARCHES: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag'])

/** Options of searches whose value is the next word: it is neither the pattern nor a folder. */
const GREP_VALUE =
  /^(?:-[a-zA-Z]*[efABCmdD]|--(?:regexp|file|(?:after-|before-)?context|max-count|include|exclude(?:-dir|-from)?|directories|devices|label))$/
const RIPGREP_VALUE =
  /^(?:-[a-zA-Z.]*[efABCmgtTjMrEd]|--(?:regexp|file|(?:after-|before-)?context|max-(?:count|columns|depth|filesize)|i?glob|type(?:-not)?|threads|replace|encoding|sortr?|ignore-file|colors?|engine|pre(?:-glob)?))$/
const SEARCH_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['grep', GREP_VALUE],
  ['egrep', GREP_VALUE],
  ['fgrep', GREP_VALUE],
  ['rg', RIPGREP_VALUE],
  ['ag', /^(?:-[a-zA-Z]*[ABCGmp]|--(?:after|before|context|file-search-regex|max-count|ignore(?:-dir)?|depth))$/],
])

const COPIES = [
  ['cp', has('r', 'R', 'a', 'recursive', 'archive')],
  ['rsync', always],
  ['scp', has('r')],
  ['mv', always],
] as const

const READS: ReadonlyMap<string, GoesDown> = new Map<string, GoesDown>([
  ...COPIES,
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['rg', ripgrep],
  ['ag', has('u', 'hidden', 'unrestricted')],
  ['diff', has('r', 'recursive')],
  ['tar', always],
  ['zip', has('r', 'recurse-paths')],
  ['7z', always],
  ['ln', always],
])
const CHANGES: ReadonlyMap<string, GoesDown> = new Map<string, GoesDown>([
  ['rm', has('r', 'R', 'recursive')],
  ['mv', always],
  ['rsync', always],
])

/** Behind the pattern, unless an option gives it. */
function searched(operands: readonly ShellWord[], options: readonly string[]): readonly ShellWord[] {
  return has('e', 'f', 'regexp', 'file')(options) ? operands : operands.slice(1)
}

/** Without the place that something is copied or moved to, unless an option names that. */
function sources(name: string, operands: readonly ShellWord[], options: readonly string[]): readonly ShellWord[] {
  if (!HAS_TARGET.has(name) || operands.length < 2 || (name !== 'rsync' && has('t')(options))) return operands
  return operands.slice(0, -1)
}

/** Only the files that `--include` names. */
function wanted(below: TextShape, words: readonly ShellWord[]): TextShape {
  const [included, ...more] = valuesOf('include', words)
  return included === undefined || more.length > 0 ? below : [...below, ...globShape(included)]
}

/** The known values of a long option: `--name=value` and `--name value`. */
function valuesOf(name: string, words: readonly ShellWord[]): string[] {
  return words.flatMap((word, i) => {
    if (word.text === `--${name}`) return words[i + 1]?.text ?? []
    const text = word.text ?? patternText(word)
    return text?.startsWith(`--${name}=`) ? [text.slice(name.length + 3)] : []
  })
}

/** `--include=*.ts` without quotes: the shell finds no file of such a name, and leaves it as it is. */
function patternText({ source }: ShellWord): string | undefined {
  return /^[\w.*?=-]+$/.test(source) ? source : undefined
}
