import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** True for a database that is there, in a file or a folder that this process may not write. */
export function isUnwritable(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/**
 * Opens a database to read it, also where its folder cannot be written. SQLite makes two files beside a database even to read
 * it, unless it is told that the file does not change. That is so while there is no write-ahead log: every writer has one.
 */
export function openToRead(path: string): DatabaseSync {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (!isUnwritable(path) || (log !== undefined && log.size > 0)) return new DatabaseSync(path, { readOnly: true })
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return new DatabaseSync(address, { readOnly: true })
}
