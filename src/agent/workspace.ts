import { type Dirent, readdirSync } from 'node:fs'
import { readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../config/read/read-unasked.ts'
import { PithError } from '../model/problems/errors.ts'
import { errorCode } from './tool.ts'

/** The place of a path, with all links resolved. */
export type FilePlace = {
  /** Absolute. Tools open this path, never the one that was given. */
  readonly real: string
  /** As in `SeenFile`: relative to the workspace with `/`, or absolute if outside. */
  readonly shown: string
  readonly outside: boolean
}

/**
 * The place of a path (relative to the workspace, absolute, with `..` or `~`). If the path does not exist yet, its nearest
 * existing parent is resolved. A link that leads out of the workspace is outside, even if its target does not exist.
 */
export async function filePlaceOf(workspace: string, path: string, home: string = homedir()): Promise<FilePlace> {
  if (path.includes('\0')) throw new PithError('bad-argument', 'The path has a NUL character: leave it out')
  const real = await realPath(resolve(workspace, withHome(path, home)), 0)
  const inside = relative(workspace, real)
  const outside = !isInside(workspace, real)
  return { real, outside, shown: outside ? real : slashes(inside) || '.' }
}

function withHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith(`~${sep}`) ? join(home, path.slice(2)) : path
}

const MOST_LINKS = 40

async function realPath(path: string, links: number): Promise<string> {
  if (links > MOST_LINKS) throw new PithError('bad-argument', `${path} is a link that leads to itself`)
  try {
    return await realpath(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ELOOP') return realPath(path, MOST_LINKS + 1)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    const parent = await realPath(dirname(path), links)
    const place = join(parent, basename(path))
    // A link may lead to a file that does not exist yet; writing to it creates that file.
    const target = await readlink(place).catch(() => undefined)
    return target === undefined ? place : realPath(resolve(parent, target), links + 1)
  }
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** The entries of a folder; none if it cannot be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
