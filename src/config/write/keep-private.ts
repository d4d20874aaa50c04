import { chmodSync, statSync } from 'node:fs'
import { PithError } from '../../model/problems/errors.ts'

/** Closes a file with a secret to others. A restored copy or backup may have lost its mode, and only its owner can change that. */
export function keepPrivate(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new PithError(
      'config-unwritable',
      `${file} is open to others and stays so (${why}): let its owner close it with chmod 600`,
    )
  }
}
