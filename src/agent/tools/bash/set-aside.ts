import { lstatSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../model/problems/errors.ts'
import { isOpenPath, isProtected } from '../../protected-paths.ts'
import type { NeverRule } from '../../sandbox/sandbox.ts'
import type { ToolContext } from '../../tool.ts'
import { entriesOf } from '../../workspace.ts'
import { fileDiff } from '../files/file-diff.ts'
import { isHarmlessGit } from './harmless-git.ts'
import { newPaths, type ProtectedState, protectedState } from './protected-state.ts'

/**
 * Renames the protected paths that a command made or replaced since `before`, so that nothing outside of the sandbox runs them, and
 * puts those back that the permissions or the user allow. Returns a line for each of the others. `open`: the protected patterns
 * that the user let the command write to.
 */
export async function setAsideNew(
  before: ProtectedState,
  never: readonly NeverRule[],
  { workspace, permit, open = [] }: Pick<ToolContext, 'workspace' | 'permit'> & { readonly open?: readonly string[] },
): Promise<string[]> {
  const paths = newPaths(before.paths, protectedState(workspace, never).paths).filter(
    (path) =>
      !isOpenPath(path, open, workspace) &&
      !isCopy(path, workspace) &&
      !isHarmlessGit(join(workspace, path), { workspace, elsewhere: before.gitFolders }),
  )
  // All are moved before the first question: an answer may take hours.
  const moved = paths.map((path) => ({ path, ...moveAside(workspace, path) }))
  const lines: string[] = []
  for (const { path, aside, why } of moved) {
    if (aside === undefined) {
      lines.push(
        `(${path} runs code outside of the sandbox, and could not be moved aside: ${why}. Look at it before you use it)`,
      )
      continue
    }
    const diff = shownContent(join(workspace, aside), path)
    const answer = await permit?.({ kind: 'edit', path, outside: false, diff })
    if (answer?.ok === true) renameSync(join(workspace, aside), join(workspace, path))
    else lines.push(asideLine(path, aside, answer?.reason))
  }
  return lines
}

/** Whether a path in another folder, such as a worktree, is the same as the workspace's own: it runs nothing new. */
function isCopy(path: string, workspace: string): boolean {
  const names = path.split('/')
  const own = names.map((_, i) => names.slice(i).join('/')).findLast(isProtected)
  return (
    own !== undefined && own !== path && !own.startsWith('.git/') && isSame(join(workspace, path), join(workspace, own))
  )
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  if (a?.isDirectory() && b?.isDirectory())
    return entriesOf(one).every(({ name }) => isSame(join(one, name), join(other, name)))
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > MOST_BYTES) return false
  return readFileSync(one).equals(readFileSync(other))
}

function asideLine(path: string, aside: string, reason = 'Nobody was asked.'): string {
  return `(the command made or replaced ${path}, which may run code outside of the sandbox or is kept by a never rule. It is now ${aside}. ${reason})`
}

type Aside = { readonly aside: string; readonly why?: undefined } | { readonly aside?: undefined; readonly why: string }

function moveAside(workspace: string, path: string): Aside {
  try {
    const aside = freeName(workspace, path)
    renameSync(join(workspace, path), join(workspace, aside))
    return { aside }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

function freeName(workspace: string, path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.aside${number === 1 ? '' : `-${number}`}`
    if (lstatSync(join(workspace, name), { throwIfNoEntry: false }) === undefined) return name
  }
}

const MOST_BYTES = 1_000_000

/** The content for the question, as a diff of a new file. Of a folder, all files. */
function shownContent(real: string, path: string): string {
  const stats = lstatSync(real)
  if (stats.isDirectory())
    return entriesOf(real)
      .map(({ name }) => shownContent(join(real, name), `${path}/${name}`))
      .join('\n')
  if (!stats.isFile() || stats.size > MOST_BYTES) return `(${path} is a link, or too large to be shown)`
  return fileDiff(path, undefined, readFileSync(real, 'utf8'))
}
