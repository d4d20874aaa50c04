import { once } from 'node:events'
import { fstatSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { note } from '../../output/show.ts'

/** A program that starts us often leaves an open pipe that nobody writes to. */
const PATIENCE_MS = 1_000

/**
 * The text on standard input beside a prompt: of a file at once, of a pipe if its first byte comes in time. Otherwise a line
 * says that nothing came. A terminal or `/dev/null` has none.
 */
export async function pipedInput(): Promise<string> {
  const kind = inputKind()
  if (kind === 'file') return text(process.stdin)
  if (kind === 'none') return ''
  if (await hasBegun()) return text(process.stdin)
  note(`Nothing came from standard input within ${PATIENCE_MS / 1_000} s, so nothing is attached`)
  process.stdin.destroy()
  return ''
}

function inputKind(): 'file' | 'pipe' | 'none' {
  if (process.stdin.isTTY === true) return 'none'
  try {
    const stat = fstatSync(0)
    if (stat.isFile()) return 'file'
    return stat.isFIFO() || stat.isSocket() ? 'pipe' : 'none'
  } catch {
    return 'none'
  }
}

/** Whether a byte, or the end, came in time. */
async function hasBegun(): Promise<boolean> {
  try {
    await once(process.stdin, 'readable', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch {
    return false
  }
}
