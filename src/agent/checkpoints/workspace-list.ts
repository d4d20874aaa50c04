import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runRipgrep } from '../tools/search/search.ts'

/** The files in which ripgrep finds what to ignore, in any folder from the workspace's files up to the root. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore']
/** With more folders than this, looking at them would save too little. */
const MOST_FOLDERS = 5_000
/** A change this long ago has a time that no later change gets: some file systems count in steps of two seconds. */
const SETTLED_MS = 3_000
/** Larger files of rules are not read here. */
const LARGE_RULES = 1_000_000
/** Other work of this process waits for about the reading of this many folders. */
const FOLDERS_AT_ONCE = 100
/** Device, inode, time of writing, and time of the last change. */
const NUMBERS = 4
const QUIET = { throwIfNoEntry: false } as const

/** The names that ignore files name as they are, and the names that they take back. */
type Rules = { readonly ignored: ReadonlySet<string>; readonly takenBack: readonly string[] }

/**
 * The files of a workspace that no ignore file names. Ripgrep needs 40 ms of processor time to list 19,000 of them, so it runs again only
 * if a folder or an ignore file has changed: a file that comes, goes or gets another name changes the time of its folder.
 */
export class WorkspaceList {
  readonly #workspace: string
  readonly #most: number
  readonly #now: () => number
  #paths: readonly string[] = []
  /** The places that the list depends on, and the numbers of each; undefined if the list must be made again. */
  #seen: { readonly places: readonly string[]; readonly numbers: Float64Array } | undefined
  // On Windows, some file systems do not change the time of a folder.
  #isWatchable = process.platform !== 'win32'

  constructor(workspace: string, most: number, now: () => number) {
    this.#workspace = workspace
    this.#most = most
    this.#now = now
  }

  /** The same array as before until a path comes or goes; undefined if there are too many, or after an abort. */
  async paths(signal: AbortSignal): Promise<readonly string[] | undefined> {
    if (signal.aborted) return undefined
    if (this.#isAsSeen()) return this.#paths
    this.#seen = undefined
    const settledBefore = this.#now() - SETTLED_MS
    const outside = this.#isWatchable ? outsidePlaces(this.#workspace) : []
    const outsideNumbers = numbersOf(outside)
    const paths: string[] = []
    const onLine = (path: string) => paths.push(path) <= this.#most
    const { end } = await runRipgrep({ args: ['--files'], folder: this.#workspace, signal, onLine })
    if (end !== 'all') return undefined
    if (paths.length !== this.#paths.length || paths.some((path, i) => path !== this.#paths[i])) this.#paths = paths
    const inside = this.#isWatchable ? await this.#insidePlaces(outside, settledBefore) : undefined
    if (inside === undefined) return this.#paths
    const insideNumbers = numbersOf(inside)
    if (!isSettled(outsideNumbers, settledBefore) || !isSettled(insideNumbers, settledBefore)) return this.#paths
    const numbers = new Float64Array([...outsideNumbers, ...insideNumbers])
    this.#seen = { places: [...outside, ...inside], numbers }
    return this.#paths
  }

  #isAsSeen(): boolean {
    if (this.#seen === undefined) return false
    const { places, numbers } = this.#seen
    const now = new Float64Array(NUMBERS)
    return places.every((place, i) => {
      setNumbers(now, 0, place)
      return now.every((number, n) => number === numbers[i * NUMBERS + n])
    })
  }

  /**
   * The folders that ripgrep has walked, and the ignore files in them. A folder without a listed file may be empty or ignored: it
   * counts with all folders in it, unless an ignore file certainly names it. Undefined if a folder has just changed, or of too many.
   */
  async #insidePlaces(outside: readonly string[], settledBefore: number): Promise<string[] | undefined> {
    const listed = foldersOf(this.#paths)
    const folders = [...listed].map((folder) => join(this.#workspace, folder))
    if (folders.length > MOST_FOLDERS) this.#isWatchable = false
    if (!this.#isWatchable || !isSettled(numbersOf(folders), settledBefore)) return undefined
    const places: string[] = []
    const rules = outside.reduce((known, file) => withRules(known, file, false), NO_RULES)
    const open = [{ folder: '', rules }]
    for (let next = open.pop(), read = 1; next !== undefined; next = open.pop(), read++) {
      if (read > MOST_FOLDERS) {
        this.#isWatchable = false
        return undefined
      }
      if (read % FOLDERS_AT_ONCE === 0) await nextTurn()
      const real = join(this.#workspace, next.folder)
      const entries = entriesOf(real)
      const has = (name: string) => entries.some((entry) => entry.name === name)
      const files = IGNORE_FILES.filter(has).map((name) => join(real, name))
      // Some versions of ripgrep do not count ignore files above a repository.
      const inherited = has('.git') || has('.jj') ? { ...next.rules, ignored: NO_RULES.ignored } : next.rules
      const own = files.reduce((known, file) => withRules(known, file, file.endsWith('.gitignore')), inherited)
      places.push(real, ...files)
      for (const entry of entries) {
        if (entry.name === '.git') {
          if (next.folder !== '') places.push(...excludeFiles(real))
        } else if (entry.isDirectory()) {
          const folder = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`
          if (listed.has(folder) || !isIgnored(entry.name, own)) open.push({ folder, rules: own })
        }
      }
    }
    return places
  }
}

const NO_RULES: Rules = { ignored: new Set(), takenBack: [] }

/** Adds the rules of a file. Only names of a folder's own `.gitignore` count as ignored: what is taken back counts from everywhere. */
function withRules(rules: Rules, file: string, hasNames: boolean): Rules {
  // Of a large file, anything may be taken back.
  const lines = (statOf(file)?.size ?? 0) > LARGE_RULES ? ['!*'] : textOf(file).split(/\r?\n/)
  const takenBack = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim())
  const names = hasNames ? lines.flatMap((line) => /^([\w.-]+)\/?$/.exec(line)?.[1] ?? []) : []
  if (takenBack.length === 0 && names.length === 0) return rules
  return { ignored: new Set([...rules.ignored, ...names]), takenBack: [...rules.takenBack, ...takenBack] }
}

function isIgnored(name: string, { ignored, takenBack }: Rules): boolean {
  if (!ignored.has(name)) return false
  return takenBack.every((pattern) => /^[\w./-]+$/.test(pattern) && !pattern.split('/').includes(name))
}

/** The ignore files that do not belong to a folder of the workspace: of the folders above, of git's repository, and of the user. */
function outsidePlaces(workspace: string): string[] {
  const home = homedir()
  const git = join(process.env.XDG_CONFIG_HOME || join(home, '.config'), 'git')
  const configs = [join(home, '.gitconfig'), join(git, 'config')]
  const places = [...configs, join(git, 'ignore'), ...configs.flatMap((config) => namedExcludes(config, home))]
  // Ripgrep goes up from where links lead.
  let folder = realpathSync(workspace)
  places.push(...excludeFiles(folder))
  for (let above = dirname(folder); above !== folder; above = dirname(folder)) {
    folder = above
    places.push(...IGNORE_FILES.map((name) => join(folder, name)), ...excludeFiles(folder))
  }
  return places
}

/** The file that a configuration of git names for ignored files. */
function namedExcludes(config: string, home: string): string[] {
  const named = [...textOf(config).matchAll(/^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/gim)]
  return named.map(([, path = '']) => resolve(home, path.replace(/^~\//, `${home}/`)))
}

/** The files in which git lists what to ignore in the repository of a folder. In a work tree or a submodule, `.git` is a file. */
function excludeFiles(folder: string): string[] {
  const git = join(folder, '.git')
  const elsewhere = /^gitdir: (.+)/.exec(textOf(git))?.[1]
  // `HEAD` shows whether there is a repository: for some versions of ripgrep, rules above it do not count in it.
  if (elsewhere === undefined) return [join(git, 'HEAD'), join(git, 'info', 'exclude')]
  const real = resolve(folder, elsewhere.trim())
  const common = resolve(real, textOf(join(real, 'commondir')).trim())
  return [git, ...[real, common].map((place) => join(place, 'info', 'exclude'))]
}

/** All folders with a file, the workspace included as ''. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set([''])
  for (const path of paths) {
    let end = path.lastIndexOf('/')
    while (end > 0 && !folders.has(path.slice(0, end))) {
      folders.add(path.slice(0, end))
      end = path.lastIndexOf('/', end - 1)
    }
  }
  return folders
}

function numbersOf(places: readonly string[]): Float64Array {
  const numbers = new Float64Array(places.length * NUMBERS)
  places.forEach((place, i) => {
    setNumbers(numbers, i, place)
  })
  return numbers
}

/** All zero for a file that does not exist. Links are followed, as ripgrep follows them to an ignore file. */
function setNumbers(numbers: Float64Array, i: number, place: string): void {
  const found = statOf(place)
  numbers[i * NUMBERS] = found?.dev ?? 0
  numbers[i * NUMBERS + 1] = found?.ino ?? 0
  numbers[i * NUMBERS + 2] = found?.mtimeMs ?? 0
  numbers[i * NUMBERS + 3] = found?.ctimeMs ?? 0
}

function isSettled(numbers: Float64Array, settledBefore: number): boolean {
  for (let at = NUMBERS - 1; at < numbers.length; at += NUMBERS) if ((numbers[at] ?? 0) >= settledBefore) return false
  return true
}

function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, QUIET)
  } catch {
    return undefined
  }
}

function textOf(file: string): string {
  try {
    const found = statOf(file)
    return found?.isFile() === true && found.size <= LARGE_RULES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
