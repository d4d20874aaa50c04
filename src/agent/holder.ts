import { hostname } from 'node:os'

/** The name of this process in leases, for other processes that would do the same work. */
export function ownHolder(): string {
  return `${hostname()}:${process.pid}`
}

/** True for a process of this machine that is gone. Of other machines nothing is known. */
export function isDead(holder: string): boolean {
  const pid = Number(/^(.*):(\d+)$/.exec(holder)?.[2])
  if (holder !== `${hostname()}:${pid}` || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
