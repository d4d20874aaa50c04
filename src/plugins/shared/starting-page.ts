import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The page for a session that begins in a folder, from a process of its own: what decides whether there is one must not be
 * loaded into the agent. `plugin` is the address of the caller's file. Empty if there is none, and if anything goes wrong.
 */
export function pageToBeginWith(folder: string, plugin: string): Promise<string> {
  const program = fileURLToPath(new URL(`../../cli/main${extname(plugin)}`, plugin))
  return new Promise((resolve) => {
    const ask = (file: string, args: readonly string[], otherwise?: () => void) => {
      const child = execFile(file, args, { cwd: folder, timeout: LONGEST_MS }, (error, stdout) => {
        if (otherwise !== undefined && error?.code === 'ENOENT') otherwise()
        else resolve(error === null ? stdout.trim() : '')
      })
      child.stdin?.end()
    }
    // An agent that is compiled together with its runtime is no Node, and a user of the single executable may have none.
    if (process.versions.bun === undefined) ask(process.execPath, [program, ...START])
    else ask('node', [program, ...START], () => ask('pith', START))
  })
}

const START = ['memory', 'start']
const LONGEST_MS = 5_000
