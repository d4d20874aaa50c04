import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The branch that is checked out in a folder; undefined outside of a repository and without a branch. Runs no program. */
export function gitBranch(folder: string): string | undefined {
  const head = textOf(join(folder, '.git', 'HEAD')) || textOf(join(linkedFolder(folder), 'HEAD'))
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]
}

/** In a worktree, `.git` is a file that names the folder. */
function linkedFolder(folder: string): string {
  const [, named = '.git'] = /^gitdir: (.+)$/m.exec(textOf(join(folder, '.git'))) ?? []
  return resolve(folder, named)
}

/** Empty if there is no file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(0, 10_000)
  } catch {
    return ''
  }
}
