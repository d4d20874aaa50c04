import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { PithError } from '../../model/problems/errors.ts'
import { afterName, distinct, isMatched, type PatternRest, patternNames } from './path-pattern.ts'
import type { NeverRule } from './sandbox.ts'

/** The existing paths that rules forbid, with all links resolved. Of a folder, everything below it is forbidden too. */
export type RulePaths = { readonly unreadable: readonly ForbiddenPath[]; readonly readOnly: readonly ForbiddenPath[] }
export type ForbiddenPath = { readonly path: string; readonly isFolder: boolean }

/** True for a rule whose paths can be found: for `/**` the whole disk would have to be searched. */
export function canExpand({ kind, pattern }: NeverRule): boolean {
  const [root, first = '**'] = patternNames(pattern)
  return isPathKind(kind) && !(root === '' && first.includes('*'))
}

/**
 * The paths that the rules of the kinds `read` and `edit` forbid now. A pattern that is not absolute is searched in the
 * workspace only. Throws if there are too many files: a rule that is kept only in part would not be noticed.
 */
export function rulePaths(never: readonly NeverRule[], workspace: string): RulePaths {
  const search = new Search()
  for (const rule of never) if (isPathKind(rule.kind)) search.find(rule, workspace)
  search.findHardLinks(workspace)
  const unreadable = search.of('read')
  const covers = new Set(unreadable.flatMap(({ path, isFolder }) => (isFolder ? [path] : [])))
  const isCovered = ({ path }: ForbiddenPath) => foldersAbove(path).some((folder) => covers.has(folder))
  return {
    unreadable: unreadable.filter((each) => !isCovered(each)),
    readOnly: search.of('edit').filter((each) => !isCovered(each)),
  }
}

/** True when commands may not use the network. */
export function forbidsNetwork(never: readonly NeverRule[]): boolean {
  return never.some(({ kind }) => kind === 'network')
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

type PathKind = 'read' | 'edit'

function isPathKind(kind: string): kind is PathKind {
  return kind === 'read' || kind === 'edit'
}

/** About a second. Each command starts with this search. */
const MOST_ENTRIES = 400_000

class Search {
  readonly #found = { read: new Map<string, ForbiddenPath>(), edit: new Map<string, ForbiddenPath>() }
  #entries = 0

  of(kind: PathKind): ForbiddenPath[] {
    return [...this.#found[kind].values()]
  }

  find({ kind, pattern }: NeverRule, workspace: string): void {
    const names = patternNames(pattern)
    const isAbsolute = names[0] === ''
    const rest = isAbsolute ? names.slice(1) : names
    // A rule against reading everything would leave no folder to run in, so its top folder stays.
    if (kind === 'edit' && isMatched(rest)) this.#add('edit', isAbsolute ? '/' : workspace)
    else this.#below(isAbsolute ? '/' : workspace, [rest], kind as PathKind, pattern)
  }

  #below(folder: string, rests: readonly PatternRest[], kind: PathKind, pattern: string): void {
    for (const name of this.#names(folder, rests, pattern)) {
      const next = distinct(rests.flatMap((rest) => afterName(rest, name.name)))
      if (next.length === 0) continue
      const path = join(folder, name.name)
      if (next.some(isMatched)) this.#add(kind, path)
      else if (name.isDirectory()) this.#below(path, next, kind, pattern)
      // Only a link that the pattern names is followed: others would lead anywhere, and around in circles.
      else if (name.isSymbolicLink() && rests.every(isLiteral)) this.#below(path, next, kind, pattern)
    }
  }

  /** The entries of a folder that may match. If the pattern names one, the folder is not listed: it may be a large one. */
  #names(folder: string, rests: readonly PatternRest[], pattern: string): readonly (Dirent | NamedEntry)[] {
    const entries = rests.every(isLiteral) ? rests.flatMap(([name = '']) => namedEntry(folder, name)) : listed(folder)
    this.#count(entries.length, pattern)
    return entries
  }

  #count(entries: number, pattern: string): void {
    this.#entries += entries
    if (this.#entries <= MOST_ENTRIES) return
    throw new PithError(
      'bad-rules',
      `The never rule for ${pattern} is too wide for the sandbox, there are more than ${MOST_ENTRIES} files: name a folder in it, such as src/**/.env`,
    )
  }

  #add(kind: PathKind, path: string): void {
    try {
      const real = realpathSync(path)
      this.#found[kind].set(real, { path: real, isFolder: lstatSync(real).isDirectory() })
    } catch {
      // A link to nothing, or it has just been removed: there is nothing to read.
    }
  }

  /** Other names of unreadable files in the workspace. A search for them reads every inode, so it is made only if there are any. */
  findHardLinks(workspace: string): void {
    const linked = new Set<string>()
    for (const { path, isFolder } of this.of('read')) {
      const note = (_: string, stats: Stats) => void (stats.nlink > 1 && linked.add(inodeOf(stats)))
      if (isFolder) this.#eachFile(path, note)
      else this.#stat(path, note)
    }
    if (linked.size === 0) return
    this.#eachFile(workspace, (path, stats) => void (linked.has(inodeOf(stats)) && this.#add('read', path)))
  }

  #eachFile(folder: string, visit: (path: string, stats: Stats) => void): void {
    const entries = listed(folder)
    this.#count(entries.length, folder)
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) this.#eachFile(path, visit)
      else if (entry.isFile()) this.#stat(path, visit)
    }
  }

  #stat(path: string, visit: (path: string, stats: Stats) => void): void {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isFile()) visit(path, stats)
  }
}

function isLiteral([name = '*']: PatternRest): boolean {
  return !name.includes('*')
}

type NamedEntry = Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>

function namedEntry(folder: string, name: string): NamedEntry[] {
  try {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stats === undefined) return []
    return [{ name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink() }]
  } catch {
    return []
  }
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}
