import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'

/*
 * SQLite's locks on a file belong to the process, not to a descriptor: closing any descriptor of the file drops them all
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2). The next program that closes the database then takes itself for
 * the last one and deletes the write-ahead log, and what we store afterwards is gone. So nothing but SQLite may open a
 * database that this process has open, nor the two files next to it.
 */

/** How many connections this process has to each file. A file may have many paths, so the key is its device and inode. */
const connections = new Map<string, number>()

/** Call it when SQLite has opened a file; returns what to call when SQLite has closed it. */
export function noteOpen(path: string): () => void {
  const key = fileKey(path)
  if (key === undefined) return () => {}
  connections.set(key, (connections.get(key) ?? 0) + 1)
  return () => {
    const left = (connections.get(key) ?? 0) - 1
    if (left > 0) connections.set(key, left)
    else connections.delete(key)
  }
}

/** True for a database that this process has open, and for the files next to it. Do not open it, not even to read. */
export function isOpenDatabase(path: string): boolean {
  if (connections.size === 0) return false
  const key = fileKey(path.replace(/-(?:wal|shm)$/, ''))
  return key !== undefined && connections.has(key)
}

/** The reason why such a file is not read or replaced. */
export const OPEN_DATABASE = 'it is a database that Pith has open'

/** Makes an empty file for its owner only, unless there is one. One that is there is not opened, but has to be writable. */
export function makeDatabaseFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // A link to a file that is not there yet counts as there for `wx`.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  }
}

/** Things that are open on files: all who open a file in this process share one. The last one to leave closes it. */
export class SharedFiles<T extends { close(): void }> {
  readonly #shared = new Map<string, Shared<T>>()

  take(path: string, open: () => T): { readonly value: T; readonly leave: () => void } {
    const shared = this.#shared.get(fileKey(path) ?? '') ?? { value: open(), users: 0 }
    // A new file has its key only now.
    const key = fileKey(path)
    if (key !== undefined) this.#shared.set(key, shared)
    shared.users++
    let isUser = true
    const leave = () => {
      if (!isUser) return
      isUser = false
      shared.users--
      if (shared.users > 0) return
      if (key !== undefined) this.#shared.delete(key)
      shared.value.close()
    }
    return { value: shared.value, leave }
  }
}

type Shared<T> = { readonly value: T; users: number }

/** Undefined for a database in memory, and for a file that is not there. */
function fileKey(path: string): string | undefined {
  const found = path === ':memory:' ? undefined : statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
