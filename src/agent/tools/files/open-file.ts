import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { PithError } from '../../../model/problems/errors.ts'
import type { FilePlace } from '../../workspace.ts'
import { errorCode } from './file-error.ts'

/** Opens a regular file for reading; undefined if it does not exist. Folders are refused, and so are devices and pipes, which may never end. */
export async function openFile(place: FilePlace): Promise<FileHandle | undefined> {
  try {
    const found = await stat(place.real)
    if (found.isDirectory()) throw new PithError('bad-argument', `${place.shown} is a folder: list it with ls`)
    if (!found.isFile()) throw new PithError('bad-argument', `${place.shown} is not a regular file: it cannot be read`)
    // If the file has become a pipe or a link in the meantime, opening it neither waits nor follows the link.
    return await open(place.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
