import { closeSync, constants, openSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** The text of a file that the user did not name, or the reason why it was not read. */
export type UnaskedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string }

export type UnaskedLimits = {
  /** The folder that must contain the file after all links are resolved. If absent, the file may be anywhere: it is the user's own. */
  readonly inside?: string
  /** False for a path (relative to `inside`) that a rule of the user forbids to read. */
  readonly mayRead?: (path: string) => boolean
}

const MOST_BYTES = 1_000_000

/**
 * Reads a file that may come from a cloned repository: only a regular file of at most 1 MB, and only inside the given folder
 * after all links are resolved. Otherwise a link to a device would fill the memory, and a link to a key would send the key to
 * the provider.
 */
export function readUnasked(file: string, { inside, mayRead }: UnaskedLimits = {}): UnaskedText {
  try {
    const real = realpathSync(file)
    if (inside !== undefined && !isInside(inside, real)) return refused('it leads out of the workspace')
    if (inside !== undefined && mayRead?.(shownFrom(inside, real)) === false)
      return refused('a never rule keeps the file from being read')
    return readRegular(real)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : refused(`it cannot be read (${code})`)
  }
}

/** True for a resolved path in a resolved folder. */
export function isInside(folder: string, path: string): boolean {
  const route = relative(folder, path)
  return route !== '..' && !route.startsWith(`..${sep}`) && !isAbsolute(route)
}

function shownFrom(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

function refused(why: string): UnaskedText {
  return { kind: 'refused', why }
}

function readRegular(real: string): UnaskedText {
  const found = statSync(real)
  if (!found.isFile()) return refused('it is not a regular file')
  if (found.size > MOST_BYTES) return refused('it is larger than 1 MB')
  // If the file has become a pipe or a link in the meantime, opening it neither waits nor follows the link.
  const file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  try {
    return { kind: 'text', text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') }
  } finally {
    closeSync(file)
  }
}
