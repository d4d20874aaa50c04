import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FileLook } from './shell/may-exist.ts'

const MOST_ENTRIES = 20_000

/** Looks for files on the disk, without following links. */
export const FILE_LOOK: FileLook = {
  exists: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  below: (folder) => {
    const found: string[] = []
    return collect(folder, found) ? found : undefined
  },
}

/** False when there are too many to look at, or a link to another folder: a shell would follow it. */
function collect(folder: string, found: string[]): boolean {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MOST_ENTRIES) return false
    const path = join(folder, entry.name)
    found.push(path)
    if (entry.isSymbolicLink() && leadsToFolder(path)) return false
    if (entry.isDirectory() && !collect(path, found)) return false
  }
  return true
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
