import { spawn, spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import { programPath, programProblem } from '../../config/places/program-path.ts'
import { PithError } from '../../model/problems/errors.ts'

/**
 * Node makes pipes of its standard streams non-blocking, which programs that were not written for it take for an error:
 * Codex stops reading its input. Node cannot change that back, but does so for a child that shares them.
 */
function makeBlocking(): void {
  spawnSync('/bin/sh', ['-c', ':'], { stdio: 'inherit' })
}

/**
 * This process becomes the program: the terminal, the keys for signals and job control, changes of size and the exit status
 * are then its own, because nothing is between them. Windows cannot do that; there it is a child with the same terminal.
 */
export function becomeProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  if (process.platform !== 'win32' && process.execve !== undefined) {
    makeBlocking()
    process.execve(file, [basename(file), ...args], set)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const child = spawn(file, args, { stdio: 'inherit', env: set, shell: file.endsWith('.cmd') })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

/** The file of an agent's program. Without one that can be started, the error says what is wrong. */
export function agentProgram(program: string, title: string): string {
  const path = process.env.PATH ?? ''
  const file = programPath(program, path)
  if (file === undefined)
    throw new PithError('bad-argument', `${programProblem(program, path)}: install ${title} first`)
  return file
}
