import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isInside } from '../config/read/read-unasked.ts'
import { coversPath, matchesPath, pathPattern } from './sandbox/path-pattern.ts'
import { gitFolders } from './sandbox/places.ts'
import { PROTECTED } from './sandbox/reach.ts'
import type { NeverRule } from './sandbox/sandbox.ts'

/** In a worktree, `.git` is a file that names the folder with hooks and configuration. */
const ANYWHERE = [...PROTECTED, '.git'].map((pattern) => pathPattern(`**/${pattern}`))

/** True for a protected path. Every folder may be one in which an editor, git or a shell is started. Some disks ignore case. */
export function isProtected(path: string): boolean {
  const plain = path.toLowerCase()
  return ANYWHERE.some((pattern) => matchesPath(pattern, plain))
}

/**
 * The rules by which the sandbox keeps commands from writing to protected paths of a workspace. `open`: the patterns of
 * `PROTECTED` that the user lets this command write to.
 */
export function protectedRules(workspace: string, open: readonly string[] = []): NeverRule[] {
  const elsewhere = gitFolders(workspace)
  const patterns = [
    ...PROTECTED,
    ...(elsewhere.length === 0 ? [] : ['.git']),
    ...elsewhere.flatMap((folder) => IN_GIT.map((name) => join(folder, name))),
    ...hooksFolder(workspace, [join(workspace, '.git'), ...elsewhere]),
  ]
  const isOpen = (pattern: string) =>
    isOpenPath(elsewhere.reduce(inGit, pattern).replace(/\/\*\*$/, ''), open, workspace)
  return patterns.filter((pattern) => !isOpen(pattern)).map((pattern) => ({ kind: 'edit', pattern }))
}

/** Whether a path of the workspace is one that a command may write to. */
export function isOpenPath(path: string, open: readonly string[], workspace: string): boolean {
  return open.some((pattern) => coversPath(pathPattern(pattern), path, workspace))
}

/** The path in the folder of git that a worktree names, as if it were in `.git`. */
function inGit(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.replace(folder, '.git') : path
}

const IN_GIT = ['hooks', 'config', 'config.worktree', 'commondir', 'info/attributes']

/** The folder of hooks that the configuration of git names, if it is in the workspace. */
function hooksFolder(workspace: string, gitFolders: readonly string[]): string[] {
  return gitFolders.flatMap((folder) => {
    const [, named] = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(textOf(join(folder, 'config'))) ?? []
    const hooks = named === undefined ? workspace : resolve(workspace, named)
    return hooks !== workspace && isInside(workspace, hooks) ? [relative(workspace, hooks)] : []
  })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
