import { fileUses } from '../../../engine/extract/shell/shell-rules.ts'
import { CHANGES_FILES, codeTokens, PATTERN_FIRST, READS_NO_FILES, RUNS_NOTHING } from './command-kinds.ts'
import { foldersRead, hasForbidden, SEARCHES, type SearchTable, searchedWords } from './folders-read.ts'
import { gitCommandAt } from './git-runs.ts'
import { givenWords } from './given-options.ts'
import type { ScriptPlace } from './read-script.ts'
import { maybeEntered } from './reading-limits.ts'
import { type Finding, nameOf, type ShellRun, type ShellWord, textWord } from './shell-word.ts'
import {
  canMeet,
  exactText,
  type FileProbe,
  literal,
  mayExist,
  pathShape,
  processPath,
  type TextShape,
  wildcardShape,
} from './text-shape.ts'

/** Whether a command names, or may name, a path of these absolute shapes. `edit`: only to change it. */
export function usesForbidden(
  forbidden: ForbiddenPaths,
  run: ShellRun,
  kind: 'read' | 'edit',
  { home, probe }: Pick<ScriptPlace, 'home' | 'probe'>,
): Finding | undefined {
  const redirects = run.redirects.flatMap(({ word, writes }) => (writes || kind === 'read' ? [word] : []))
  const words = distinct([...redirects, ...(kind === 'read' ? wordsRead(run) : wordsChanged(run))])
  const folders = foldersOf(run)
  const found = words.flatMap((word) => namedIn(word, forbidden, folders, kind === 'read' ? probe : undefined) ?? [])
  const sure = found.find(({ answer }) => answer === 'yes') ?? found[0]
  if (sure !== undefined) return sure
  const below = foldersRead(run, kind).find((use) => forbidden.paths.some((path) => hasForbidden(use, path, probe)))
  if (below !== undefined) return { answer: 'maybe', source: below.source }
  return mentioned(forbidden, run, kind, home)
}

/** The words without repeated texts: a line may repeat a word thousands of times. */
function distinct(words: readonly ShellWord[]): readonly ShellWord[] {
  const seen = new Set<string>()
  return words.filter(({ text }) => text === undefined || (!seen.has(text) && seen.add(text)))
}

function wordsRead(run: ShellRun): readonly ShellWord[] {
  return READS_NO_FILES.has(nameOf(run) ?? '') ? [] : fileWords(run)
}

/** The files that a command changes, by the engine's knowledge of commands. If one of them has a hole, each word with a hole counts. */
function wordsChanged(run: ShellRun): readonly ShellWord[] {
  const name = nameOf(run) ?? ''
  const rest = run.words.slice(1)
  if (CHANGES_FILES.has(name)) return rest
  const at = name === 'git' ? gitCommandAt(rest) : -1
  const known = rest.slice(at + 1).map(({ text, source }) => ({
    type: 'word' as const,
    text: text ?? source,
    open: text === undefined,
  }))
  const uses = fileUses(name === 'git' ? `git ${rest[at]?.text}` : name, known).filter(
    ({ access }) => access === 'modified',
  )
  const open = uses.some(({ word }) => word.open) ? rest.filter(({ text }) => text === undefined) : []
  return [...uses.flatMap(({ word }) => (word.open ? [] : [textWord(word.text)])), ...open]
}

/** The words of a command that may be files: neither a pattern nor a message. */
function fileWords({ words }: ShellRun): readonly ShellWord[] {
  const name = nameOf({ words })
  const rest = words.slice(1)
  if (name === 'git') return gitWords(rest)
  // The name of a package's script is not a file.
  if (/^(?:npm|pnpm|yarn)$/.test(name ?? '')) return rest.filter(({ text }) => text !== undefined)
  if (name === undefined || !PATTERN_FIRST.has(name)) return rest
  const search = SEARCHES.get(name)
  if (search !== undefined) return searchWords(rest, search)
  const hasPattern = rest.some(({ text }) => /^(?:-[a-zA-Z]*[ef]|--(?:expression|from-file))/.test(text ?? ''))
  const first = rest.findIndex(({ text }) => text === undefined || !/^-./.test(text))
  return hasPattern ? rest : rest.filter((_, i) => i !== first)
}

/** The words of a search that may be files: neither its pattern nor the values of other options. */
function searchWords(words: readonly ShellWord[], table: SearchTable): readonly ShellWord[] {
  const given = givenWords(words, table)
  if (!given.isSure) return words
  const isText = (name: string) =>
    !table.files.includes(name) && (name.length === 1 ? table.letters.includes(name) : table.names.includes(name))
  const values = given.options.flatMap(({ name, value }) => (value === undefined || isText(name) ? [] : [value]))
  return [...values, ...searchedWords(given, table)]
}

/** Commands of git that show only names, unless one of these options makes them show the content of files. */
const GIT_NAMES: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['check-ignore', undefined],
  ['ls-files', undefined],
  ['branch', undefined],
  ['status', /^-(?:[a-z]*v|-verbose)/],
  ['config', /^-(?:f|-file)/],
  ['tag', /^-(?:F|-file)/],
  [
    'log',
    /^-(?:[puUWLcm]|-(?:patch|unified|cc|dd|remerge-diff|word-diff|color-words|function-context|binary|full-diff|diff-merges))/,
  ],
])
/** Commands of git whose open words are most likely branches; they print no files. */
const GIT_REFS: ReadonlySet<string> = new Set([
  'checkout',
  'switch',
  'merge',
  'rebase',
  'fetch',
  'pull',
  'push',
  'reset',
])
const GIT_TEXT = /^(?:-[a-zA-Z]*m|--message|--grep|--author|-S|-G)$/

function gitWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const at = gitCommandAt(words)
  const command = words[at]?.text ?? ''
  const shows = GIT_NAMES.get(command)
  if (GIT_NAMES.has(command) && !words.slice(at + 1).some(({ text }) => shows?.test(text ?? '') === true)) return []
  const isOfRefs = GIT_REFS.has(command)
  return words.filter(({ text }, i) => !GIT_TEXT.test(words[i - 1]?.text ?? '') && !(isOfRefs && text === undefined))
}

/** The folders that the words of a command are relative to: its own, and those that an option names. */
function foldersOf({ folders, words }: ShellRun): readonly TextShape[] {
  const named = words.flatMap(({ text }, i) => {
    if (/^(?:-C|--directory|--prefix|--cwd|--chdir|--work-tree)$/.test(text ?? '')) return words[i + 1]?.shapes ?? []
    const [, folder] = /^--(?:directory|prefix|cwd|chdir|work-tree)=(.+)$/s.exec(text ?? '') ?? []
    return folder === undefined ? [] : [literal(folder)]
  })
  return named.length === 0 ? folders : maybeEntered(folders, named)
}

/** Whether a word names a forbidden path. For a word with holes, only existing files count. */
function namedIn(
  word: ShellWord,
  forbidden: ForbiddenPaths,
  folders: readonly TextShape[],
  probe?: FileProbe,
): Finding | undefined {
  const seen = word.text === undefined ? probe : undefined
  const isNamed = word.shapes.some((shape) =>
    partsOfWord(shape).some((part) =>
      folders.some((folder) => isForbidden(pathShape(folder, part), part, forbidden, seen)),
    ),
  )
  if (!isNamed) return undefined
  return { answer: word.text === undefined || folders.length > 1 ? 'maybe' : 'yes', source: word.source }
}

function isForbidden(
  path: TextShape,
  part: TextShape,
  { paths, linked }: ForbiddenPaths,
  probe: FileProbe | undefined,
): boolean {
  if (paths.some((one) => mayExist(one, path, probe))) return true
  return exactText(part)?.startsWith('/') === true && linked.some((one) => canMeet(one, path))
}

const LONGEST_PATH = 4_096

/** A word, and the paths that it may contain: `--file=x`, `-fx`, `@x`, `HEAD:x`, `x:/y`, `file:///x`. */
function partsOfWord(shape: TextShape): TextShape[] {
  const text = exactText(shape)
  const ofProcess = processPath(shape)
  if (ofProcess !== undefined) return [ofProcess]
  if (text === undefined) return openParts(shape)
  if (text === '' || text.length > LONGEST_PATH || /^https?:\/\//.test(text)) return []
  const after = [...text.matchAll(/[=@:,]/g)].slice(0, 20).map(({ index }) => text.slice(index + 1))
  const before = [...text.matchAll(/[:,]/g)].slice(0, 20).map(({ index }) => text.slice(0, index))
  const attached = /^-[a-zA-Z]./.test(text) ? [text.slice(2)] : []
  return [text, ...after, ...before, ...attached].filter((part) => part !== '').map(literal)
}

/** The parts of a word with holes: the whole word, and the part after each `=`, `@` or `:` in its first text. */
function openParts(shape: TextShape): TextShape[] {
  const [first, ...rest] = shape
  if (first === undefined || !('text' in first)) return [shape]
  if (/^https?:\/\//.test(first.text)) return []
  const after = [...first.text.matchAll(/[=@:]/g)].map(({ index }) => [
    ...literal(first.text.slice(index + 1)),
    ...rest,
  ])
  return first.text.startsWith('-') ? after : [shape, ...after]
}

/** Whether the code in a command's words or in its input names a forbidden path. */
function mentioned(forbidden: ForbiddenPaths, run: ShellRun, kind: 'read' | 'edit', home: string): Finding | undefined {
  const name = nameOf(run)
  if (name === undefined || RUNS_NOTHING.has(name) || name === 'git') return undefined
  const texts = run.words.slice(1).flatMap(({ text }) => text ?? [])
  const isNamed = (path: string) => namedIn(textWord(path), forbidden, run.folders) !== undefined
  const seen = new Set<string>()
  for (const code of [...texts, ...(run.input.kind === 'text' ? [run.input.text] : []), ...run.texts]) {
    for (const token of codeTokens(code)) {
      // A program does not change a file just because it is given that file.
      if (seen.has(token) || (kind === 'edit' && token === code)) continue
      seen.add(token)
      const inHome = belowHome(token, home)
      if (isNamed(token) || (inHome !== token && isNamed(inHome))) return { answer: 'maybe', source: token }
    }
  }
  return undefined
}

/** The token below the home folder, because code may put that before a path: `expanduser('~/.ssh')`, `process.env.HOME + '/.ssh'`. */
function belowHome(token: string, home: string): string {
  return token.replace(/^~?(?=\/)/, () => home)
}

/** The absolute paths that a path pattern of a rule means. */
type ForbiddenPaths = {
  readonly paths: readonly TextShape[]
  /** The same paths under other names of the workspace, because links may lead to it. Only compared with absolute paths. */
  readonly linked: readonly TextShape[]
}

/** The paths that a pattern forbids in a workspace: `*` within a name, `**` over folders. */
export function forbiddenPaths(pattern: string, workspace: string): ForbiddenPaths {
  const plain = pattern.replace(/^\.\//, '').replace(/(.)\/+$/, '$1')
  const segments = plain === '.' ? [] : plain.split('/')
  if (segments[0] === '') return { paths: below([], segments.slice(1)), linked: [] }
  // It also applies outside of the workspace, as it does for the paths of tools.
  if (segments[0] === '**') return { paths: below([{ hole: 'any' }], segments.slice(1)), linked: [] }
  const name = `/${workspace.split('/').at(-1)}`
  return { paths: below(literal(workspace), segments), linked: below([{ hole: 'any' }, { text: name }], segments) }
}

function below(start: TextShape, [segment, ...rest]: readonly string[]): readonly TextShape[] {
  if (segment === undefined) return [start]
  if (segment !== '**') return below([...start, { text: '/' }, ...wildcardShape(segment, 'segment')], rest)
  return [...below(start, rest), ...below([...start, { text: '/' }, { hole: 'any' }], rest)]
}
