/** An error of the file system in one line; undefined for any other error. */
export function fileError(error: unknown): string | undefined {
  const code = errorCode(error)
  if (code === undefined || !(error instanceof Error)) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : ''
  return `${path}${TEXTS.get(code) ?? error.message}`
}

/** The code of a system error (`ENOENT`, …). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code)
    ? error.code
    : undefined
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EEXIST', 'a part of the path is a file, not a folder'],
  ['EISDIR', 'is a folder'],
  ['ENOSPC', 'the disk is full: nothing was written'],
  ['EROFS', 'the file system is read-only: nothing was written'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['EMFILE', 'too many files are open: try again'],
])
