import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export type ChildResult = {
  /** The return value of the function. */
  readonly value: unknown
  readonly ms: number
  /** The peak memory of the process, and how much of that came after the work began. */
  readonly peakBytes: number
  readonly addedBytes: number
}

/**
 * Calls `name(input, begin)` of a module in a process of its own, so that time and memory are its own. The function calls
 * `begin()` when its input is loaded and prepared: time and memory count from there.
 */
export async function inChild(module: string, name: string, input: unknown): Promise<ChildResult> {
  const child = join(import.meta.dirname, 'child.ts')
  const args = ['--max-old-space-size=6144', child, pathToFileURL(module).href, name, JSON.stringify(input)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  // The lines before the last were printed by the function, or by a peer that it drives.
  return JSON.parse(stdout.split('\n').at(-1) ?? '') as ChildResult
}
