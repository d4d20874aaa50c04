import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FileLook } from './shell/folders-read.ts'

const MOST_ENTRIES = 20_000

/** Looks for files on the disk, without following links. */
export const FILE_LOOK: FileLook = {
  exists: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  below: (folder) => {
    const found: string[] = []
    return collect(folder, found) ? found : undefined
  },
}

/** False when there are too many to look at. */
function collect(folder: string, found: string[]): boolean {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MOST_ENTRIES) return false
    const path = join(folder, entry.name)
    found.push(path)
    if (entry.isDirectory() && !collect(path, found)) return false
  }
  return true
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
