import { hash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** A project on this machine: a repository with all its worktrees and clones, or a folder without git. */
export type Project = {
  readonly name: string
  /** The folder of this worktree or clone. */
  readonly root: string
  /** The same for all worktrees and clones. */
  readonly key: string
  readonly isRepository: boolean
}

/** The project that a folder belongs to. The folder need not exist any more: then those above it decide. */
export function projectOf(folder: string): Project {
  const here = realPath(folder)
  for (let root = here; ; root = dirname(root)) {
    const common = commonFolder(join(root, '.git'))
    if (common !== undefined) return repositoryAt(root, common)
    if (dirname(root) === root) return { name: basename(here), root: here, key: keyOf(here), isRepository: false }
  }
}

/** The key of the project of a repository's address. */
export function repositoryKey(address: string): string {
  return keyOf(plainAddress(address))
}

/** The name of the project of a repository's address or path. */
export function repositoryName(address: string): string {
  return basename(address).replace(/\.git$/, '')
}

function repositoryAt(root: string, common: string): Project {
  const origin = originIn(common)
  const name = repositoryName(origin ?? (basename(common) === '.git' ? dirname(common) : common))
  const known = { name, root, isRepository: true }
  if (origin === undefined) return { ...known, key: keyOf(common) }
  // A clone of a repository on this machine is the same project.
  const source = isAbsolute(origin) ? sourceOf(origin) : undefined
  return { ...known, key: source ?? repositoryKey(origin) }
}

function sourceOf(path: string): string | undefined {
  const common = commonFolder(join(path, '.git')) ?? (isFolder(join(path, 'objects')) ? realPath(path) : undefined)
  if (common === undefined) return undefined
  const origin = originIn(common)
  return origin === undefined || isAbsolute(origin) ? keyOf(common) : repositoryKey(origin)
}

/** The folder of git that all worktrees share; `git` is the `.git` of one of them, a folder or a file that names one. */
function commonFolder(git: string): string | undefined {
  if (isFolder(git)) return realPath(git)
  const named = /^gitdir: (.+)$/m.exec(textOf(git) ?? '')?.[1]?.trim()
  if (named === undefined) return undefined
  const folder = resolve(dirname(git), named)
  const common = textOf(join(folder, 'commondir'))?.trim()
  return realPath(common === undefined ? folder : resolve(folder, common))
}

/** The address of the remote `origin`. */
function originIn(common: string): string | undefined {
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(
    textOf(join(common, 'config')) ?? '',
  )
  return /^\s*url\s*=\s*(\S.*?)\s*$/m.exec(section?.[1] ?? '')?.[1]
}

/** An address without the way to it: `git@github.com:a/b.git` and `https://github.com/a/b` are one. */
function plainAddress(address: string): string {
  const plain = address
    .trim()
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?(?=[^/])/, '$1/')
    .replace(/\/+$|\.git\/?$/g, '')
  return plain.toLowerCase()
}

function keyOf(identity: string): string {
  return hash('sha256', identity, 'hex').slice(0, 24)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}
