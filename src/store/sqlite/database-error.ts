import { PithError } from '../../model/problems/errors.ts'

/** Runs `work`; its errors about the file are those of `databaseError`. */
export function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw databaseError(path, error)
  }
}

/** An error of SQLite about its file as one line that says what to do. Others stay what they are. */
export function databaseError(path: string, error: unknown): unknown {
  if (error instanceof PithError || !(error instanceof Error)) return error
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  const why = error.message
  if (code === 11 || code === 26 || (code === 1 && DAMAGED.test(why))) {
    return new PithError(
      'store-damaged',
      `${path} is damaged (${why}): it was left as it is; restore a copy, or save what can be read with pith store salvage`,
      { cause: error },
    )
  }
  if (code === 5 || code === 6) {
    const message = `${path} is locked by another process (${why}), and nothing was written: try again, or end that process`
    return new PithError('store-unwritable', message, { cause: error })
  }
  if (
    code === 8 ||
    code === 10 ||
    code === 13 ||
    code === 14 ||
    ('code' in error && UNWRITABLE.has(String(error.code)))
  ) {
    return new PithError(
      'store-unwritable',
      `${path} cannot be written (${why}): nothing that was saved is lost; free space or mend its rights`,
      { cause: error },
    )
  }
  return error
}

/** Complaints of SQLite about a header or a schema that is not what it was. It counts these among the errors of a statement. */
const DAMAGED =
  /unsupported file format|malformed|no such (?:table|column|index)|has no column|duplicate column name|already exists|another row available|vtable constructor failed/

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT', 'EISDIR', 'ENOTDIR'])

/** True when another process has the file locked (SQLITE_BUSY and SQLITE_LOCKED), also behind an error of ours. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  return code === 5 || code === 6 || isLocked(error.cause)
}
