import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { PithError } from '../../../model/problems/errors.ts'
import type { FilePlace } from '../../workspace.ts'
import { errorCode } from './file-error.ts'

/** Opens a regular file to read; undefined when it is not there. Devices, pipes and folders are refused: they may never end. */
export async function openFile(place: FilePlace): Promise<FileHandle | undefined> {
  try {
    const found = await stat(place.real)
    if (found.isDirectory()) throw new PithError('bad-argument', `${place.shown} is a folder: list it with ls`)
    if (!found.isFile()) throw new PithError('bad-argument', `${place.shown} is not a regular file: it cannot be read`)
    // Should it have become a pipe or a link since, opening neither waits nor follows.
    return await open(place.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
