import { spawn } from 'node:child_process'
import { programProblem } from '../../../config/places/program-path.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { EXIT } from '../../process/exit-codes.ts'

/** A command as one line for a shell, with the way to its folder where that is another one. */
export function commandLine(command: readonly string[], folder: string, here = process.cwd()): string {
  const line = command.map(shellWord).join(' ')
  return folder === here ? line : `cd ${shellWord(folder)} && ${line}`
}

/** Runs a command in a folder with this terminal, and returns its exit code. */
export async function runAgent([program = '', ...args]: readonly string[], folder: string): Promise<number> {
  const problem = programProblem(program, process.env.PATH ?? '')
  if (problem !== undefined) throw new PithError('bad-argument', `${program} cannot be run: ${problem}`)
  // Ctrl+C is the agent's while it runs.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(program, args, { cwd: folder, stdio: 'inherit' })
      child.once('error', ({ message }) =>
        reject(new PithError('bad-argument', `${program} cannot be run: ${message}`)),
      )
      child.once('exit', (code) => resolve(code ?? EXIT.failed))
    })
  } finally {
    process.removeListener('SIGINT', ignore)
  }
}
