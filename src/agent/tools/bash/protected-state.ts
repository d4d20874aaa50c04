import { type BigIntStats, lstatSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isInside } from '../../../config/read/read-unasked.ts'
import { isProtected } from '../../protected-paths.ts'
import { matchesName, pathPattern } from '../../sandbox/path-pattern.ts'
import { gitFolders } from '../../sandbox/places.ts'
import { PROTECTED } from '../../sandbox/reach.ts'
import { rulePaths } from '../../sandbox/rule-paths.ts'
import type { NeverRule } from '../../sandbox/sandbox.ts'
import { entriesOf } from '../../workspace.ts'

/** The protected files of a workspace before or after a command. */
export type ProtectedState = {
  /** Protected files and the paths that never rules keep from being edited, relative to the workspace, each with a mark of its state. */
  readonly paths: ReadonlyMap<string, string>
  /** The folders of git that the workspace names, if it is a worktree. */
  readonly gitFolders: readonly string[]
}

/** Reads the state of all protected paths. It stops after as many entries as a fifth of a second allows. */
export function protectedState(workspace: string, never: readonly NeverRule[]): ProtectedState {
  const state = new Map<string, string>()
  const kept = rulePaths(
    never.filter(({ kind }) => kind === 'edit'),
    workspace,
  ).readOnly.filter(({ path }) => isInside(workspace, path))
  // The sandbox has these mounted, so a command can only put another one there, by moving a folder above it.
  for (const { path } of kept)
    note(state, workspace, path, ({ dev, ino }) => (isHeld(path, workspace) ? 'kept' : `${dev}:${ino}`))
  const isKept = (path: string) => kept.some((each) => path === each.path || path.startsWith(`${each.path}/`))
  // The time of the last change cannot be set back.
  for (const path of protectedFiles(workspace))
    if (!isKept(path)) note(state, workspace, path, ({ ino, ctimeNs, size }) => `${ino}:${ctimeNs}:${size}`)
  return { paths: state, gitFolders: gitFolders(workspace) }
}

/** True for a path whose folders cannot be moved in the sandbox. If it has changed, somebody else changed it. */
function isHeld(path: string, workspace: string): boolean {
  const folder = dirname(path)
  return folder === workspace || (basename(folder).startsWith('.') && dirname(folder) === workspace)
}

function note(
  state: Map<string, string>,
  workspace: string,
  path: string,
  markOf: (stats: BigIntStats) => string,
): void {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats !== undefined) state.set(relative(workspace, path), markOf(stats))
}

/** The paths that appeared or changed between two states. A folder whose files are all new is one path. */
export function newPaths(before: ProtectedState['paths'], after: ProtectedState['paths']): string[] {
  const changed = [...after].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path)
  const known = [...before.keys()]
  return [...new Set(changed.map((path) => newFolderOf(path, known) ?? path))].toSorted()
}

const FOLDERS = PROTECTED.flatMap((pattern) => (pattern.endsWith('/**') ? [pattern.slice(0, -2)] : []))

function newFolderOf(path: string, known: readonly string[]): string | undefined {
  const name = FOLDERS.find((folder) => `/${path}`.includes(`/${folder}`))
  if (name === undefined) return undefined
  const folder = path.slice(0, `/${path}`.indexOf(`/${name}`) + name.length - 1)
  return known.some((each) => each.startsWith(`${folder}/`)) ? undefined : folder
}

const MOST_ENTRIES = 50_000
/** Packages may have any of these files. Nothing opens them there. */
const SKIPPED = new Set(['node_modules', 'vendor'])
const NAMES = PROTECTED.flatMap((pattern) => pathPattern(pattern).names.slice(0, 1))

/** The protected files in all folders of a workspace, those in the upper folders first. Links are not followed. */
function* protectedFiles(workspace: string): Generator<string> {
  const folders = [workspace]
  let entries = 0
  for (let at = 0; at < folders.length && entries < MOST_ENTRIES; at++) {
    const folder = folders[at] ?? ''
    for (const entry of entriesOf(folder)) {
      entries++
      const path = join(folder, entry.name)
      const name = entry.name.toLowerCase()
      if (!NAMES.some((pattern) => matchesName(pattern, name))) {
        if (entry.isDirectory() && !SKIPPED.has(name)) folders.push(path)
      } else if (!entry.isDirectory()) {
        if (entry.isSymbolicLink() || isProtected(relative(workspace, path))) yield path
      } else if (name === '.git') yield* gitFiles(path)
      else yield* filesIn(path, (file) => isProtected(relative(workspace, file)))
    }
  }
}

function* filesIn(folder: string, isMeant: (path: string) => boolean): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path, isMeant)
    else if (entry.isSymbolicLink() || isMeant(path)) yield path
  }
}

/** Everything below a folder of git that may name a program, also in those of submodules and worktrees. */
function* gitFiles(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    const isPlace = entry.name === 'hooks' || entry.name === 'info'
    if (GIT_FILES.has(entry.name) || (isPlace && !entry.isDirectory())) yield path
    else if (entry.name === 'info') yield join(path, 'attributes')
    else if (entry.name === 'hooks') yield* filesIn(path, (file) => !file.endsWith('.sample'))
    else if (entry.name === 'modules' || entry.name === 'worktrees') yield* gitFoldersIn(path)
  }
}

/** The name of a submodule may have slashes, so its folder may be at any depth. */
function* gitFoldersIn(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    if (!entry.isDirectory() || GIT_DATA.has(entry.name)) continue
    yield* gitFiles(join(folder, entry.name))
    yield* gitFoldersIn(join(folder, entry.name))
  }
}

const GIT_FILES = new Set(['config', 'config.worktree', 'commondir'])
const GIT_DATA = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs', 'modules', 'worktrees'])
