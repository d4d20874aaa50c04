import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { PithError } from '../../model/problems/errors.ts'
import { afterName, isMatched, type PathPattern, pathPattern } from './path-pattern.ts'
import type { NeverRule } from './sandbox.ts'

/** The existing paths that rules forbid, with all links resolved. Of a folder, everything below it is forbidden too. */
export type RulePaths = { readonly unreadable: readonly ForbiddenPath[]; readonly readOnly: readonly ForbiddenPath[] }
export type ForbiddenPath = { readonly path: string; readonly isFolder: boolean }

/** True for a rule whose paths can be found: for `/**` the whole disk would have to be searched. */
export function canExpand({ kind, pattern }: NeverRule): boolean {
  const { isAbsolute, names } = pathPattern(pattern)
  return isPathKind(kind) && !(isAbsolute && names[0]?.isLiteral !== true)
}

/**
 * The paths that the rules of the kinds `read` and `edit` forbid now. A pattern that is not absolute is searched in the
 * workspace only. Throws if there are too many files: a rule that is kept only in part would not be noticed.
 */
export function rulePaths(never: readonly NeverRule[], workspace: string): RulePaths {
  const search = new Search()
  const begun = never.flatMap(({ kind, pattern }): Begun[] =>
    isPathKind(kind) ? [{ kind, pattern: pathPattern(pattern), positions: [0] }] : [],
  )
  search.find(
    workspace,
    begun.filter(({ pattern }) => !pattern.isAbsolute),
  )
  search.find(
    '/',
    begun.filter(({ pattern }) => pattern.isAbsolute),
  )
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

  find(top: string, rules: readonly Begun[]): void {
    // A rule against reading everything would leave no folder to run in, so the top folder itself stays.
    const whole = rules.filter(({ kind, pattern }) => kind === 'edit' && pattern.end === 0)
    if (whole.length > 0) this.#add('edit', top)
    this.#below(
      top,
      rules.filter((rule) => !whole.includes(rule)),
    )
  }

  #below(folder: string, rules: readonly Begun[]): void {
    if (rules.length === 0) return
    const isNamed = rules.every(nextIsLiteral)
    // If the patterns name the entries, the folder is not listed: it may be a large one.
    const entries = isNamed ? nextNames(rules).flatMap((name) => namedEntry(folder, name)) : listed(folder)
    this.#count(entries.length, folder)
    for (const entry of entries) {
      // Only a link that a pattern names is followed: others would lead anywhere, and around in circles.
      const isWay = entry.isDirectory() || (isNamed && entry.isSymbolicLink())
      const { matched, open } = withName(rules, entry.name, isWay)
      if (matched.length === 0 && open.length === 0) continue
      const path = join(folder, entry.name)
      for (const kind of matched) this.#add(kind, path)
      if (!matched.includes('read')) this.#below(path, open)
    }
  }

  #count(entries: number, folder: string): void {
    this.#entries += entries
    if (this.#entries <= MOST_ENTRIES) return
    throw new PithError(
      'bad-rules',
      `A never rule for paths is too wide for the sandbox, it has to look through more than ${MOST_ENTRIES} files (the last in ${folder}): name a folder in it, such as src/**/.env`,
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

/** A rule on the way down a path: its pattern, and how far the names so far have led in it. */
type Begun = { readonly kind: PathKind; readonly pattern: PathPattern; readonly positions: readonly number[] }

/** The kinds of the rules that match with one more name, and the others that may match below it, if there is a way down. */
function withName(rules: readonly Begun[], name: string, isWay: boolean): { matched: PathKind[]; open: Begun[] } {
  const matched: PathKind[] = []
  const open: Begun[] = []
  for (const rule of rules) {
    const positions = afterName(rule.pattern, rule.positions, name)
    if (isMatched(rule.pattern, positions)) matched.push(rule.kind)
    else if (isWay && positions.length > 0) open.push({ ...rule, positions })
  }
  return { matched, open }
}

function nextIsLiteral({ pattern: { names }, positions }: Begun): boolean {
  return positions.every((position) => names[position]?.isLiteral !== false)
}

function nextNames(rules: readonly Begun[]): string[] {
  return [
    ...new Set(rules.flatMap(({ pattern: { names }, positions }) => positions.flatMap((at) => names[at]?.text ?? []))),
  ]
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
