import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const MEMORY = '/dev/shm'
const LEAST_BYTES = 2 * 1024 ** 3

/**
 * A folder for temporary files that is kept in memory, if the system has one. Most of what tests wait for is a disk
 * that confirms what was written. It is removed when this process ends.
 */
export function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < LEAST_BYTES) return undefined
    const folder = folderIn(MEMORY)
    return canRunPrograms(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** A folder on the disk that every user can enter, also if the temporary folder is a private one. It is removed when this process ends. */
export function folderOnDisk(): string {
  return folderIn([tmpdir(), '/tmp'].find(isOpenToAll) ?? tmpdir())
}

/** The folder of the run of the tests; for a program that is not part of a run, one of its own. */
export function folderOfRun(): string {
  own ??= process.env.RUN_FOLDER ?? folderOnDisk()
  return own
}

let own: string | undefined

/** A folder of the whole run, by its name. The first process that asks for it makes it, and the others use it too. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const kept = join(folderOfRun(), name)
  if (existsSync(kept)) return kept
  const mine = `${kept}-${process.pid}`
  // A try that failed may have left a part.
  rmSync(mine, { recursive: true, force: true })
  await make(mine)
  try {
    renameSync(mine, kept)
  } catch {
    // Another process was first.
    rmSync(mine, { recursive: true })
  }
  return kept
}

/** True when every user can reach a folder or start a program: the path to it is open to all, and so is the file. */
export function isOpenToAll(path: string): boolean {
  const isOpen = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0
  return isOpen && (dirname(path) === path || isOpenToAll(dirname(path)))
}

/** PostgreSQL runs as another user when we are root, and has to get into it. */
function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'pith-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  return folder
}

/** Some systems allow no programs there, and tests put some into their folders. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  execFileSync(program)
  return true
}
