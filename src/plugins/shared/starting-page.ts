import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The page for a session that begins in a folder, from a process of its own: what decides whether there is one must not be
 * loaded into the agent. `plugin` is the address of the caller's file. Empty if there is none, and if anything goes wrong.
 */
export function pageToBeginWith(folder: string, plugin: string): Promise<string> {
  const program = fileURLToPath(new URL(`../../cli/main${extname(plugin)}`, plugin))
  // An agent that is compiled together with its runtime is no Node.
  const node = process.versions.bun === undefined ? process.execPath : 'node'
  return new Promise((resolve) => {
    const child = execFile(node, [program, 'memory', 'start'], { cwd: folder, timeout: LONGEST_MS }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    )
    child.stdin?.end()
  })
}

const LONGEST_MS = 5_000
