import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PithError } from '../../model/problems/errors.ts'
import { Database } from './database.ts'

/** True for a database that is there, in a file or a folder that this process may not write. */
export function isUnwritable(path: string): boolean {
  return existsSync(path) && !(mayWrite(path) && mayWrite(dirname(path)))
}

/**
 * Opens a database to read it, also where its folder cannot be written. SQLite makes two files beside a database even to read
 * it, unless it is told that the file does not change. That is so while nobody has it open: a process that has it open has made both.
 * A log alone has bytes only in a copy. The two are not made where only the file is another user's: that user could not write them.
 */
export function openToRead(path: string): Database {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  const isShared = existsSync(`${path}-shm`)
  const isAtRest = log === undefined || (log.size === 0 && !isShared)
  if (isAtRest && isUnwritable(path)) return openUnchanging(path)
  if (!isAtRest && !isShared && !mayWrite(dirname(path))) throw needsFolder(path)
  return new Database(path, { readOnly: true })
}

function openUnchanging(path: string): Database {
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return new Database(address, { readOnly: true })
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function needsFolder(path: string): PithError {
  const log = `${basename(path)}-wal`
  return new PithError(
    'store-unwritable',
    `${path} cannot be read in a folder that may not be written, for its last changes are in ${log}: copy both to another folder`,
  )
}
