import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const LEAST_BYTES = 2 * 1024 ** 3

/**
 * A folder for temporary files that is kept in memory, where the system has one. Most of what tests wait for is a disk
 * that confirms what was written. It is removed when this process ends.
 */
export function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < LEAST_BYTES) return undefined
    const folder = mkdtempSync(join(MEMORY, 'pith-tests-'))
    // PostgreSQL runs as another user when we are root.
    chmodSync(folder, 0o755)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return canRunPrograms(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** Some systems allow no programs there, and tests put some into their folders. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  execFileSync(program)
  return true
}
