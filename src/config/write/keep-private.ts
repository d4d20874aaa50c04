import { chmodSync, statSync } from 'node:fs'
import { PithError } from '../../model/problems/errors.ts'

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
