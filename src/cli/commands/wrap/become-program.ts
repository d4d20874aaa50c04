import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** The file of a program that the user could start by its name. */
export function programPath(name: string, path: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  const files = path.split(delimiter).flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
  return files.find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

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
