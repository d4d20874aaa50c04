import { type GivenOption, type GivenWords, givenWords, isGiven, NO_TABLE, type OptionTable } from './given-options.ts'
import { nameOf, type ShellRun, type ShellWord } from './shell-word.ts'
import {
  belowShape,
  exactText,
  type FileProbe,
  globShape,
  literal,
  mayExist,
  pathShape,
  type TextShape,
} from './text-shape.ts'

/** The options of a search. `files`: options whose value is a file that it reads; `patterns`: options that give the pattern. */
export type SearchTable = OptionTable & { readonly files: readonly string[]; readonly patterns: readonly string[] }

const names = (text: string): readonly string[] => text.split(' ')

const GREP: SearchTable = {
  letters: 'efABCmdDX',
  names: names(
    'regexp file after-context before-context context max-count include exclude exclude-dir exclude-from directories ' +
      'devices label binary-files group-separator',
  ),
  files: ['f', 'file', 'exclude-from'],
  patterns: ['e', 'f', 'regexp', 'file'],
}
const RIPGREP: SearchTable = {
  letters: 'efABCmgtTjMrEd',
  names: names(
    'regexp file after-context before-context context max-count max-columns max-depth maxdepth max-filesize glob iglob ' +
      'type type-not type-add type-clear threads replace encoding sort sortr ignore-file color colors engine pre ' +
      'pre-glob context-separator field-context-separator field-match-separator path-separator dfa-size-limit ' +
      'regex-size-limit hostname-bin hyperlink-format generate',
  ),
  files: ['f', 'file', 'ignore-file', 'pre', 'hostname-bin'],
  patterns: ['e', 'f', 'regexp', 'file'],
}
const AG: SearchTable = {
  letters: 'GgmpW',
  names: names(
    'file-search-regex max-count ignore ignore-dir depth path-to-ignore width workers pager color-match color-path ' +
      'color-line-number',
  ),
  numbers: ['A', 'B', 'C', 'after', 'before', 'context'],
  files: ['p', 'path-to-ignore', 'pager'],
  patterns: ['g'],
}

/** Commands that search in files and below folders. */
export const SEARCHES: ReadonlyMap<string, SearchTable> = new Map([
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  ['zgrep', GREP],
  ['rg', RIPGREP],
  ['ag', AG],
])

/** The files and folders that a search names: the operands after the pattern, or all operands if an option gives the pattern. */
export function searchedWords(
  { options, operands, isSure }: GivenWords,
  { patterns }: SearchTable,
): readonly ShellWord[] {
  return !isSure || isGiven(options, ...patterns) ? operands : operands.slice(1)
}

/** Paths below a folder that a command is given, except the names that it leaves out. */
export type FolderUse = {
  readonly path: TextShape
  readonly source: string
  readonly leftOut: readonly string[]
}

/** Whether a forbidden path is below a folder that a command reads. */
export function hasForbidden({ path, leftOut }: FolderUse, forbidden: TextShape, probe?: FileProbe): boolean {
  return !leftOut.includes(lastName(forbidden) ?? '') && mayExist(forbidden, path, probe)
}

/** The last name of a path, if it is fully known. */
function lastName(path: TextShape): string | undefined {
  const text = exactText(path.slice(path.findLastIndex((part) => 'hole' in part) + 1)) ?? ''
  return text.includes('/') ? text.slice(text.lastIndexOf('/') + 1) : undefined
}

/** The paths that a command reads or changes because they are below a folder that it is given. */
export function foldersRead(run: ShellRun, kind: 'read' | 'edit'): FolderUse[] {
  const name = nameOf(run) ?? ''
  const goesDown = (kind === 'read' ? READS : CHANGES).get(name)
  const search = SEARCHES.get(name)
  const given = givenWords(run.words.slice(1), search ?? COPY_OPTIONS.get(name) ?? NO_TABLE)
  if (goesDown === undefined || !goesDown(given.options)) return []
  const folders = search === undefined ? sources(name, given) : searchedWords(given, search)
  // An empty operand is not a folder, and must not count as the current one.
  const named = folders.flatMap(({ shapes, source }) =>
    shapes.filter(({ length }) => length > 0).map((shape) => ({ shape, source })),
  )
  const isHere = search !== undefined && (named.length === 0 || !given.isSure)
  const places = isHere ? [...named, { shape: literal('.'), source: name }] : named
  const leftOut = namesLeftOut(name, given)
  const names = namesIncluded(name, given)
  // With too many of both, every file counts as searched.
  const included = names !== undefined && names.length * places.length > MOST_PATHS ? undefined : names
  return places.flatMap(({ shape, source }) =>
    run.folders.flatMap((from) => {
      const below = belowShape(pathShape(from, shape))
      const paths = included?.map((one) => [...below, ...one]) ?? [below]
      return paths.map((path) => ({ path, source, leftOut }))
    }),
  )
}

const MOST_PATHS = 1_000

type GoesDown = (options: readonly GivenOption[]) => boolean

const has =
  (...names: string[]): GoesDown =>
  (options) =>
    isGiven(options, ...names)
const always = () => true
const grep = has('r', 'R', 'recursive', 'dereference-recursive')
/** By default, ripgrep skips hidden files. */
const ripgrep: GoesDown = (options) =>
  isGiven(options, '.', 'hidden', 'unrestricted') || options.filter(({ name }) => name === 'u').length > 1

const HAS_TARGET: ReadonlySet<string> = new Set(['cp', 'mv', 'rsync', 'scp', 'ln'])

const TARGET: OptionTable = { letters: 'tS', names: ['target-directory', 'suffix'] }
const COPY_OPTIONS: ReadonlyMap<string, OptionTable> = new Map([
  ['cp', TARGET],
  ['mv', TARGET],
  ['ln', TARGET],
  ['rsync', { letters: '', names: ['exclude', 'include', 'filter', 'exclude-from', 'include-from'] }],
  ['tar', { letters: '', names: ['exclude'] }],
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

/** The operands without the target of a copy or a move, unless an option names the target. */
function sources(name: string, { operands, options, isSure }: GivenWords): readonly ShellWord[] {
  const hasTarget = name !== 'rsync' && isGiven(options, 't', 'target-directory')
  return !HAS_TARGET.has(name) || operands.length < 2 || hasTarget || !isSure ? operands : operands.slice(0, -1)
}

const INCLUDES: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep'])

/** The names of the only files that a search reads; undefined if it reads all files. */
function namesIncluded(name: string, { options, isSure }: GivenWords): readonly TextShape[] | undefined {
  const values = options.filter((option) => option.name === 'include').map(({ value }) => value?.shapes.map(globOf))
  if (!isSure || !INCLUDES.has(name) || values.length === 0) return undefined
  const names = values.flatMap((shapes) => shapes ?? [undefined])
  return names.every((one) => one !== undefined) ? names : undefined
}

/** A pattern that matches no file reaches the command unchanged: `--include=*.ts`. Other holes may be anything. */
function globOf(value: TextShape): TextShape | undefined {
  const text = exactText(value)
  if (text !== undefined) return globShape(text)
  const isOpen = value.some((part) => ('text' in part ? /[[\\\]]/.test(part.text) : part.hole === 'any'))
  return isOpen ? undefined : value.flatMap((part) => ('text' in part ? globShape(part.text) : [part]))
}

/** The names of files that a command leaves out. None if another option may include the same names again. */
function namesLeftOut(name: string, { options, isSure }: GivenWords): readonly string[] {
  const valuesOf = (...names: string[]) =>
    options.filter((option) => names.includes(option.name)).map(({ value }) => value?.text)
  if (!isSure) return []
  if (name === 'rg') {
    const globs = valuesOf('g', 'glob', 'iglob').map((glob) => /^!([^/]+)$/.exec(glob ?? '')?.[1])
    return globs.every((one) => one !== undefined) ? globs : []
  }
  if (isGiven(options, 'include', 'include-from', 'filter') || (name === 'rsync' && isGiven(options, 'f', 'F')))
    return []
  return valuesOf('exclude').flatMap((text) => text ?? [])
}
