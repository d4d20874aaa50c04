import { spawn } from 'node:child_process'
import { basename } from 'node:path'

/**
 * This process becomes the program: the terminal, the keys for signals and job control, changes of size and the exit status
 * are then its own, because nothing stands between. Windows cannot do that; there it is a child with the same terminal.
 */
export function becomeProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  if (process.platform !== 'win32' && process.execve !== undefined) {
    process.execve(file, [basename(file), ...args], set)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const child = spawn(file, args, { stdio: 'inherit', env: set, shell: file.endsWith('.cmd') })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
