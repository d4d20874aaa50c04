import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { realPath } from '../../../config/places/trust.ts'
import { isInside } from '../../../config/read/read-unasked.ts'
import { entriesOf } from '../../workspace.ts'

/**
 * True for a file that `git init`, `git clone`, `git worktree add` or `git submodule` make and that names no program: samples of
 * hooks, a configuration with ordinary keys only, and a `.git` file that leads to a folder of git whose files are checked as well.
 */
export function isHarmlessGit(path: string, { workspace, elsewhere }: GitPlaces): boolean {
  const name = basename(path)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return name === 'hooks' && entriesOf(path).every((entry) => isSample(entry.name))
  if (!stats?.isFile() || stats.size > MOST_BYTES) return false
  const text = readFileSync(path, 'utf8')
  if (name === 'config' && dirname(path).split('/').includes('.git')) return hasOrdinaryKeys(text)
  if (name === 'commondir') return basename(dirname(dirname(path))) === 'worktrees' && text.trim() === '../..'
  if (name !== '.git') return false
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(text) ?? []
  const folder = target === undefined ? path : resolve(dirname(path), target)
  if (realPath(folder) !== folder) return false
  if (isInside(workspace, folder)) return CHECKED_FOLDER.test(`/${relative(workspace, folder)}`)
  return (
    elsewhere.some((each) => dirname(folder) === join(each, 'worktrees')) &&
    isHarmlessGit(join(folder, 'commondir'), { workspace, elsewhere })
  )
}

type GitPlaces = {
  readonly workspace: string
  /** The folders of git that the workspace, as a worktree, had before the command. Their hooks and configuration are read-only. */
  readonly elsewhere: readonly string[]
}

/** The folder of a submodule or a worktree, at a place where `protectedState` looks. */
const CHECKED_FOLDER =
  /^(?!.*\/(?:node_modules|objects|refs|logs|hooks|info|lfs)(?:\/|$))(?:\/[^/]+)*?\/\.git\/(?:modules|worktrees)\/[^/].*$/

const MOST_BYTES = 100_000

function isSample(name: string): boolean {
  return name.endsWith('.sample')
}

/** Lines as git itself writes them. Others, such as a key after a section or a line that continues, could hide a key. */
function hasOrdinaryKeys(text: string): boolean {
  let section = ''
  return text.split('\n').every((line) => {
    const [, name, sub] = /^\[([\w-]+)(?: "([^"\\]*)")?\]$/.exec(line) ?? []
    if (name !== undefined) section = `${name}${sub === undefined ? '' : '.*'}`
    const [, key] = /^\t([\w-]+) = [^"\\\r]*$/.exec(line) ?? []
    if (key !== undefined) return ORDINARY.has(`${section}.${key}`.toLowerCase())
    return line === '' || name !== undefined
  })
}

/** The keys that name no program. */
const ORDINARY = new Set([
  ...[
    'repositoryformatversion',
    'filemode',
    'bare',
    'logallrefupdates',
    'ignorecase',
    'precomposeunicode',
    'symlinks',
  ].map((key) => `core.${key}`),
  ...['core.worktree', 'user.name', 'user.email', 'init.defaultbranch', 'pull.rebase', 'push.default'],
  ...['url', 'fetch', 'tagopt', 'promisor', 'partialclonefilter'].map((key) => `remote.*.${key}`),
  ...['remote', 'merge', 'rebase'].map((key) => `branch.*.${key}`),
  ...['objectformat', 'refstorage', 'partialclone'].map((key) => `extensions.${key}`),
  ...['submodule.active', 'submodule.*.url', 'submodule.*.active'],
])
