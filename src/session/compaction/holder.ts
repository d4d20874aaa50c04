import { hostname } from 'node:os'

/** The name of this process, for others that would do the same work meanwhile. */
export function ownHolder(): string {
  return holderOf(process.pid)
}

/** The name of a process of this machine. */
export function holderOf(pid: number): string {
  return `${hostname()}:${pid}`
}

/** True for a process of this machine that is gone. Its work may come before its name: `turn:12@host:34`. */
export function isDead(holder: string): boolean {
  const name = holder.slice(holder.lastIndexOf('@') + 1)
  const pid = Number(/:(\d+)$/.exec(name)?.[1])
  if (name !== holderOf(pid) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
