import { matchesPath } from './sandbox/path-pattern.ts'

/**
 * Files that run code later, outside of the sandbox: git's hooks and configuration, tasks of editors, variables of shells, MCP
 * servers, and our own configuration. Commands cannot write to them, and edits of them are asked about.
 */
export const PROTECTED: readonly string[] = [
  '.git/hooks/**',
  '.git/config',
  '.git/config.worktree',
  '.husky/**',
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.envrc',
  '.mcp.json',
  '.pith/config.yaml',
]

/** In a worktree, `.git` is a file that names the folder with hooks and configuration. */
const ANYWHERE = [...PROTECTED, '.git'].map((pattern) => `**/${pattern}`)

/** True for a protected path. Every folder may be one in which an editor, git or a shell is started. Some disks ignore case. */
export function isProtected(path: string): boolean {
  const plain = path.toLowerCase()
  return ANYWHERE.some((pattern) => matchesPath(pattern, plain))
}
