import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder that a session works in: the nearest one upwards with `.pith` or `.git`, below the user's home, else `from` itself. */
export function findWorkspace(from: string, home: string = homedir()): string {
  const start = realPath(from)
  const top = realPath(home)
  for (let folder = start; ; folder = dirname(folder)) {
    // A ~/.pith or a ~/.git with dotfiles does not make the home folder a workspace.
    if (folder === top || folder === dirname(folder)) return start
    if (existsSync(join(folder, '.pith')) || existsSync(join(folder, '.git'))) return folder
  }
}

/** The configuration file of a workspace. */
export function projectFile(workspace: string): string {
  return join(workspace, '.pith', 'config.yaml')
}

/** The path without symbolic links, so that one folder has one name. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
