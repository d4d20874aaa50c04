import { patchFiles } from '../calls/patch-files.ts'
import { isAbsolute, joinPath, withSlashes } from '../calls/paths.ts'
import { patchPieces, type TextPiece } from '../ledger/text-pieces.ts'
import type { Word } from './shell-lexer.ts'
import { type FileUse, fileUses, SOURCE } from './shell-rules.ts'
import { parseArguments, type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from './shell-steps.ts'

/** The text that `cat > file <<EOF` writes into the file. */
function heredocPieces(name: string | undefined, operator: string, { heredocs }: ShellCommand): TextPiece[] {
  if (name !== undefined && name !== 'cat' && name !== 'tee') return []
  if (!operator.includes('>')) return []
  return heredocs.slice(0, 1).map((after) => (operator.includes('>>') ? { before: '', after } : { after }))
}

/** The text that a command puts into the file that it names: `tee file <<EOF`, `sed -i s/old/new/ file`. */
function commandPieces(name: string, words: readonly Word[], { heredocs }: ShellCommand): TextPiece[] {
  if (name === 'tee') {
    const { options } = parseArguments(words, {})
    return heredocs.slice(0, 1).map((after) => (options.has('a') ? { before: '', after } : { after }))
  }
  if (name !== 'sed' && name !== 'perl') return []
  return words.flatMap(({ text }) => substitution(text)).slice(0, MOST_PIECES)
}

const MOST_PIECES = 20

/** `s/old/new/g` */
function substitution(script: string): TextPiece[] {
  const [, sign] = /^(?:\d{1,9}(?:,(?:\d{1,9}|\$))?)?s([/|#,@!%~])/.exec(script) ?? []
  if (sign === undefined || script.length > LONGEST_SCRIPT) return []
  const [, before = '', after = ''] = script.split(new RegExp(String.raw`(?<!\\)[${sign}]`))
  return before === '' ? [] : [{ before: plain(before), after: plain(after) }]
}

const LONGEST_SCRIPT = 4_000

/** Removes the backslashes of a pattern. */
function plain(pattern: string): string {
  return pattern.replace(/\\n/g, '\n').replace(/\\([^\w])/g, '$1')
}

/** A file that a command uses. `change` describes the modification. A move has two of them, and each names the other. */
export type ShellFile = {
  path: string
  access: 'read' | 'modified'
  change?: 'created' | 'deleted' | 'reverted'
  to?: string
  from?: string
  /** The side of a merge that was taken. */
  side?: FileUse['side']
}

/**
 * The files that a command line reads or modifies, according to its text, once per path and access: the last change of a
 * file counts. Relative paths start at the folder, which `cd` changes; without a folder they stay relative.
 */
export function shellFiles(command: string, folder = '', steps = shellSteps(command)): ShellFile[] {
  const files = new Map<string, ShellFile>()
  const add: Add = (path, access, more) => {
    if (path !== undefined) files.set(`${access} ${path}`, { path, access, ...more })
  }
  addFiles(steps, folder, add, 0)
  return [...files.values()]
}

/** The text that a command line puts into files: heredocs, patches, and replacements by `sed`. */
export function shellEdits(
  command: string,
  folder = '',
  steps = shellSteps(command),
): ReadonlyMap<string, readonly TextPiece[]> {
  const edits = new Map<string, TextPiece[]>()
  const add: Add = (path, _access, _more, pieces) => {
    if (path === undefined || pieces === undefined) return
    const all = edits.get(path) ?? []
    edits.set(path, all)
    for (const piece of pieces()) all.push(piece)
  }
  addFiles(steps, folder, add, 0)
  return edits
}

type Add = (
  path: string | undefined,
  access: ShellFile['access'],
  more?: Pick<ShellFile, 'change' | 'side' | 'to' | 'from'>,
  /** The text that was put into it. */
  pieces?: () => readonly TextPiece[],
) => void
/** Undefined if the text does not show in which folder the shell is. */
type Folder = string | undefined

const LONGEST_PATH = 1024
const DEEPEST_SHELL = 3
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh'])

function addFiles(steps: readonly ShellStep[], start: Folder, add: Add, depth: number): void {
  let folder = start
  const outer: Folder[] = []
  const scripts = new Map<string, string>()
  for (const step of steps) {
    if (step.type === 'enter') outer.push(folder)
    else if (step.type === 'leave') folder = outer.length > 0 ? outer.pop() : folder
    else {
      folder = addCommand(step, folder, add, depth)
      addScript(step, scripts, folder, add)
    }
  }
}

const INTERPRETERS: ReadonlySet<string> = new Set(['python', 'python3', 'node'])

/** Adds the files that an inline script writes: the script follows `-c`, is a heredoc, or is in a file that was written right before. */
function addScript(step: ShellCommand, scripts: Map<string, string>, folder: Folder, add: Add): void {
  const [heredoc] = step.heredocs
  if (heredoc !== undefined) for (const { target } of step.redirects) scripts.set(target.text, heredoc)
  const command = withoutWrappers(step.words)
  if (command === undefined || !INTERPRETERS.has(command.name)) return
  const [first, second] = command.rest.map(({ text }) => text)
  const inline = first === '-c' || first === '-e' ? second : undefined
  const script = inline ?? scripts.get(first ?? '') ?? (first === undefined || first === '-' ? heredoc : undefined)
  for (const { path, pieces } of scriptWrites(script ?? '')) add(pathOf(named(path), folder), 'modified', {}, pieces)
}

/** Adds the files that one command uses; returns the folder of the next one. */
function addCommand(step: ShellCommand, folder: Folder, add: Add, depth: number): Folder {
  const command = withoutWrappers(step.words)
  const next = command === undefined ? folder : addNamed(command, step, folder, add, depth)
  for (const { operator, target } of step.redirects) {
    if (operator === '<<<' || /^(?:\d+|-|\d+-)$/.test(target.text)) continue
    const isRead = operator.startsWith('<') && operator !== '<>'
    const pieces = () => heredocPieces(command?.name, operator, step)
    add(pathOf(target, folder), isRead ? 'read' : 'modified', undefined, pieces)
  }
  return next
}

type NamedCommand = { name: string; rest: readonly Word[] }

function addNamed(command: NamedCommand, step: ShellCommand, folder: Folder, add: Add, depth: number): Folder {
  const { name, rest } = command
  if (name === 'cd' || name === 'pushd') return folderAfter(rest, folder)
  if (name === 'popd') return undefined
  if (SHELLS.has(name) || name === 'eval') {
    const script = name === 'eval' ? rest.map((word) => word.text).join(' ') : scriptOf(rest)
    if (script !== undefined && depth < DEEPEST_SHELL) addFiles(shellSteps(script), folder, add, depth + 1)
    return folder
  }
  const git = name === 'git' ? gitCommand(rest, folder) : undefined
  const at = git === undefined ? folder : git.folder
  const uses = fileUses(git?.name ?? name, git?.rest ?? rest)
  const written = once(() => commandPieces(name, rest, step))
  for (const use of uses) {
    const path = use.change === 'reverted' ? revertedPath(use.word, at) : pathOf(use.word, at)
    const ends = { to: use.to && pathOf(use.to, at), from: use.from && pathOf(use.from, at) }
    add(
      path,
      use.access,
      { change: use.change, side: use.side, ...ends },
      use.access === 'modified' ? written : undefined,
    )
  }
  if (PATCH_PROGRAMS.has(git?.name ?? name)) {
    for (const patch of patchTexts(name, rest, step)) {
      const pieces = once(() => patchPieces(patch))
      for (const { path, from, to, ...more } of patchFiles(patch)) {
        const ends = { from: from && pathOf(named(from), at), to: to && pathOf(named(to), at) }
        add(pathOf(named(path), at), 'modified', { ...more, ...ends }, () => pieces().get(path) ?? [])
      }
    }
  }
  return folder
}

/** Finds the text of files only if it is needed, and once for all files of a command. */
function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}

/** The whole folder can be reset at once. */
function revertedPath(word: Word, folder: Folder): string | undefined {
  return word.text === '.' && folder !== undefined ? folder || '.' : pathOf(word, folder)
}

/** The programs that a command line runs, each with the folder that it runs in. */
export function* programRuns(
  steps: readonly ShellStep[],
  start: Folder,
): Generator<NamedCommand & { readonly step: ShellCommand; readonly folder: Folder }> {
  let folder = start
  const outer: Folder[] = []
  for (const step of steps) {
    if (step.type === 'enter') outer.push(folder)
    else if (step.type === 'leave') folder = outer.length > 0 ? outer.pop() : folder
    else {
      const run = withoutWrappers(step.words)
      if (run === undefined) continue
      if (run.name === 'cd' || run.name === 'pushd') folder = folderAfter(run.rest, folder)
      else if (run.name === 'popd') folder = undefined
      else yield { ...run, step, folder }
    }
  }
}

/** The folder after `cd`; undefined if the words do not show it. */
function folderAfter(words: readonly Word[], folder: Folder): Folder {
  // `cd /d D:\x` is how `cmd` also changes the drive.
  const isDriveOption = words.length > 1 && words[0]?.text.toLowerCase() === '/d'
  const word = words.slice(isDriveOption ? 1 : 0).find(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
  if (word === undefined) return '~'
  const text = writtenPath(word)
  if (word.open || text === '-' || (folder === undefined && !isAbsolute(text))) return undefined
  const path = joinPath(folder ?? '', text)
  return path.length > LONGEST_PATH ? undefined : path
}

/** The text after `-c`, also in `-lc`. */
function scriptOf(words: readonly Word[]): string | undefined {
  const option = words.findIndex(({ text }) => !/^-[a-z]*$/.test(text) || text.includes('c'))
  return /^-[a-z]*c[a-z]*$/.test(words[option]?.text ?? '') ? words[option + 1]?.text : undefined
}

/** The verb of git and its arguments, and the folder that it works in: `-C folder rm x` is the verb `rm` in that folder. */
export function gitVerb(
  words: readonly Word[],
  folder: Folder,
): { readonly verb: string; readonly rest: readonly Word[]; readonly folder: Folder } {
  let at = 0
  let inside = folder
  for (; words[at]?.text.startsWith('-'); at++) {
    const option = words[at]?.text
    if (option !== '-C' && option !== '-c') continue
    at++
    if (option === '-C') inside = folderAfter(words.slice(at, at + 1), inside)
  }
  return { verb: words[at]?.text ?? '', rest: words.slice(at + 1), folder: inside }
}

/** `git -C folder rm x` as the command `git rm` in that folder. */
function gitCommand(words: readonly Word[], folder: Folder): NamedCommand & { folder: Folder } {
  const { verb, rest, folder: inside } = gitVerb(words, folder)
  const name = `git ${verb}`
  const dashes = name === 'git checkout' ? rest.findIndex(({ text }) => text === '--') : -1
  if (dashes !== -1) {
    const options = rest.slice(0, dashes).filter(({ text }) => text.startsWith('-'))
    const revision = rest.slice(0, dashes).find(({ text }) => !text.startsWith('-'))
    const source = revision === undefined ? [] : [{ ...revision, text: `--${SOURCE}=${revision.text}` }]
    return { name: `${name} --`, rest: [...options, ...source, ...rest.slice(dashes + 1)], folder: inside }
  }
  return { name, rest, folder: inside }
}

function named(path: string): Word {
  return { type: 'word', text: path, open: false }
}

const PATCH_PROGRAMS: ReadonlySet<string> = new Set(['apply_patch', 'applypatch', 'patch', 'git apply'])

function patchTexts(name: string, words: readonly Word[], step: ShellCommand): string[] {
  const texts = words.map((word) => word.text).filter((text) => text.includes('\n'))
  return name.startsWith('apply') ? [...step.heredocs, ...texts] : [...step.heredocs]
}

/** The path that a word names, if the text shows it and files can be there. */
function pathOf(word: FileUse['word'], folder: Folder): string | undefined {
  const text = writtenPath(word)
  if (word.open || text === '' || text === '-' || NULL_DEVICE.test(text) || text.length > LONGEST_PATH) return undefined
  if (/[\u0000-\u001f*?]|^\/(?:dev|proc)\/|^\w+:\/\/|^\{\}$/.test(text)) return undefined
  if (folder === undefined && !isAbsolute(text)) return undefined
  const path = joinPath(folder ?? '', text)
  return /^(?:\.|\/|~|\.\.(?:\/\.\.)*)$/.test(path) || path === folder ? undefined : path
}

function writtenPath({ path, text }: Word): string {
  return withSlashes(path?.replaceAll('\\', '/') ?? text)
}

/** The file of `cmd` that keeps nothing. */
const NULL_DEVICE = /^nul:?$/i

/** A file that a script writes, and the pieces of text that it replaces, if both are literals in the script. */
type ScriptWrite = { readonly path: string; readonly pieces: () => readonly TextPiece[] }

/** The files that a short script of Python or JavaScript writes: `open('a', 'w')`, `Path(p).write_text(…)`, `writeFileSync('a', …)`. */
function scriptWrites(script: string): ScriptWrite[] {
  if (!/\bopen\(|\.write_|writeFileSync/.test(script)) return []
  const code = script.slice(0, SCRIPT_CHARACTERS)
  const paths = writtenPaths(code)
  // With several files, we cannot know in which one a text was replaced.
  return paths.map((path) => ({ path, pieces: () => (paths.length === 1 ? replacedPieces(code) : []) }))
}

const SCRIPT_CHARACTERS = 20_000

const QUOTED = String.raw`(?:(?<quote>['"\`])(?<path>[^'"\`$\n]{1,300})\k<quote>|(?<name>\w{1,60}))`
const WRITES = [
  String.raw`\bopen\(\s{0,20}${QUOTED}\s{0,20},\s{0,20}(?:mode\s?=\s?)?['"][wax]`,
  String.raw`\bPath\(\s{0,20}${QUOTED}\s{0,20}\)\.write_(?:text|bytes)\(`,
  String.raw`\b(?<name>\w{1,60})\.write_(?:text|bytes)\(`,
  String.raw`\bwriteFileSync\(\s{0,20}${QUOTED}\s{0,20},`,
].map((pattern) => new RegExp(pattern, 'g'))

function writtenPaths(code: string): string[] {
  const known = new Map(Array.from(code.matchAll(NAMED_PATH), ({ groups }) => [groups?.name, groups?.path]))
  const found = WRITES.flatMap((pattern) =>
    Array.from(code.matchAll(pattern), ({ groups }) => groups?.path ?? known.get(groups?.name)),
  )
  return [...new Set(found.filter((path) => path !== undefined))]
}

/** `p = 'src/a.py'`, `const file = "a.ts"`, `p = Path("a")` */
const NAMED_PATH =
  /^[ \t]{0,20}(?:const |let |var )?(?<name>\w{1,60})\s?=\s?(?:(?:pathlib\.)?Path\()?(?<quote>['"])(?<path>[^'"\n$]{1,300})\k<quote>/gm

const TEXT = String.raw`(?:"""[\s\S]{0,4000}?"""|'''[\s\S]{0,4000}?'''|"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}')`
const REPLACE = new RegExp(String.raw`\.replace\(\s{0,40}(${TEXT})\s{0,40},\s{0,40}(${TEXT})`, 'g')

function replacedPieces(code: string): TextPiece[] {
  const pieces: TextPiece[] = []
  for (const [, before = '', after = ''] of code.matchAll(REPLACE)) {
    pieces.push({ before: textIn(before), after: textIn(after) })
    if (pieces.length === MOST_PIECES) break
  }
  return pieces.filter(({ before }) => before !== '')
}

/** The text of a literal. */
function textIn(literal: string): string {
  const quotes = /^(?:"""|'''|["'])/.exec(literal)?.[0].length ?? 0
  return literal.slice(quotes, -quotes).replace(/\\([\s\S])/g, (_, sign: string) => SIGNS.get(sign) ?? sign)
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\n', ''],
])
