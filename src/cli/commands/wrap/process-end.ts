import { holderOf, isDead } from '../../../session/compaction/hold-lease.ts'

/** True while a process lives. A parent is looked at as such: its number cannot be another's. */
export function livingProcess(pid: number): () => boolean {
  return process.ppid === pid ? () => process.ppid === pid : () => !isDead(holderOf(pid))
}
