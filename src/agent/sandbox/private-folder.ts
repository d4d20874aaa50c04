import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileNames } from '../../config/places/file-names.ts'

/**
 * The folder for the private caches of a session. It is removed when this process ends; those of processes that were killed are
 * removed now. Its name begins with the id of the process.
 */
export function privateFolder(data: string, session: string): string {
  const all = join(data, 'sandbox')
  for (const name of fileNames(all)) if (!isAlive(Number.parseInt(name, 10))) remove(join(all, name))
  const folder = join(all, `${process.pid}-${session}`)
  if (ours.size === 0) process.once('exit', () => ours.forEach(remove))
  ours.add(folder)
  return folder
}

const ours = new Set<string>()

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Go makes the folders of its modules read-only. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    spawnSync('sh', ['-c', 'chmod -R u+w "$0"; rm -rf "$0"', folder], { stdio: 'ignore' })
  }
}
