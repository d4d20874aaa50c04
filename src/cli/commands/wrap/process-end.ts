/** True while a process lives. A parent is looked at as such: its number cannot be another's. */
export function livingProcess(pid: number): () => boolean {
  return process.ppid === pid ? () => process.ppid === pid : () => isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
