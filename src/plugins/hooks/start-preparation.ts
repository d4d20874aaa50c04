import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts the check of a summary in a process of its own: the agent does not wait for it, nor end it. */
export function startPreparation(session: string): void {
  const child = spawn(process.execPath, [join(__dirname, 'prepare.mjs'), session], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
