import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The most memory that this process has had, in bytes. Linux carries `maxRSS` over from the process that started this
 * one, so on Linux the kernel's own high-water mark is read.
 */
export function peakBytes(): number {
  const marked = /^VmHWM:\s*(\d+) kB/m.exec(statusFile())?.[1]
  return (marked === undefined ? process.resourceUsage().maxRSS : Number(marked)) * 1_024
}

/** Sets the mark back to the memory that the process has now, if the system can. */
export function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Not Linux: the mark still includes the memory that loading the program took.
  }
}

function statusFile(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8')
  } catch {
    return ''
  }
}
