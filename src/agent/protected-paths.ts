import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { configFolder, dataFolder } from '../config/places/folders.ts'
import { isInside } from '../config/read/read-unasked.ts'
import { matchesPath, pathPattern } from './sandbox/path-pattern.ts'
import type { NeverRule } from './sandbox/sandbox.ts'
import { gitFolders } from './sandbox/writable-folders.ts'

/**
 * Files that run code later, outside of the sandbox: git's hooks and configuration, tasks of editors, variables of shells, MCP
 * servers, and our own configuration. Commands cannot write to them, and edits of them are asked about.
 */
export const PROTECTED: readonly string[] = [
  '.git/hooks/**',
  '.git/config',
  '.git/config.worktree',
  // It names another folder with hooks and a configuration.
  '.git/commondir',
  '.husky/**',
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.envrc',
  '.mcp.json',
  '.pith/config.yaml',
]

/** In a worktree, `.git` is a file that names the folder with hooks and configuration. */
const ANYWHERE = [...PROTECTED, '.git'].map((pattern) => pathPattern(`**/${pattern}`))

/** True for a protected path. Every folder may be one in which an editor, git or a shell is started. Some disks ignore case. */
export function isProtected(path: string): boolean {
  const plain = path.toLowerCase()
  return ANYWHERE.some((pattern) => matchesPath(pattern, plain))
}

/** The rules by which the sandbox keeps commands from writing to protected paths of a workspace, and to the user's own settings. */
export function protectedRules(workspace: string, env: Readonly<Record<string, string>>): NeverRule[] {
  const elsewhere = gitFolders(workspace)
  const patterns = [
    ...PROTECTED,
    ...(elsewhere.length === 0 ? [] : ['.git']),
    ...elsewhere.flatMap((folder) => IN_GIT.map((name) => join(folder, name))),
    ...hooksFolder(workspace, [join(workspace, '.git'), ...elsewhere]),
    join(configFolder(env), 'config.yaml'),
    ...['permissions.json', 'trusted.json'].map((name) => join(dataFolder(env), name)),
  ]
  return patterns.map((pattern) => ({ kind: 'edit', pattern }))
}

const IN_GIT = ['hooks', 'config', 'config.worktree', 'commondir']

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
