import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { PithError } from '../../model/problems/errors.ts'

const STALE_MS = 10_000
const PATIENCE_MS = 15_000
const LOOK_MS = 15

/** Does something while no other process holds the lock; the lock of one that died is taken over after ten seconds. */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  await acquire(path, patienceMs)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    if (await made(path)) return
    if (await isStale(path)) await rm(path, { force: true })
    else await pause(LOOK_MS)
  }
  throw new PithError('store-unwritable', `${path} is held by another process: try again, or remove it if none runs`)
}

async function made(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}
