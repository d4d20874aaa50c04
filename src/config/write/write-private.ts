import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, PithError } from '../../model/problems/errors.ts'

/** Writes a file that only its owner may read. It is written whole or not at all, and a symbolic link stays a link. */
export function writePrivate(file: string, text: string): void {
  const target = linkTarget(file)
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, text, { mode: 0o600, flush: true })
    renameSync(temporary, target)
  } catch (error) {
    discard(temporary)
    const why = messageOf(error)
    throw new PithError('config-unwritable', `${file} cannot be written (${why}): check the permissions of its folder`)
  }
}

/** The file that a link leads to; the file itself if it is not a link. */
export function linkTarget(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** Removes the file that a failed write may have left. */
function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true })
  } catch {
    // The folder cannot be used. The first error reports that.
  }
}

/** Makes a file with a secret unreadable for others. A restored copy or backup may have lost its mode, and only its owner can change it. */
export function keepPrivate(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new PithError(
      'config-unwritable',
      `Others can read ${file}, and its mode cannot be changed (${why}): let its owner run chmod 600`,
    )
  }
}
