import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { quotedWord, shellWord } from '../../../src/model/text.ts'
import type { Home } from './program.ts'
import { Tmux } from './tmux.ts'

/** As it ships: from its sources it starts in three times as long. */
const MAIN = inject('program')

export type RealOptions = {
  readonly args?: string
  readonly env?: NodeJS.ProcessEnv
  /** Commands of the shell before the program. */
  readonly before?: string
  readonly columns?: number
  readonly rows?: number
}

/** The real program in a real terminal, in a shell that afterwards says how the terminal is. */
export function realProgram(at: Home, options: RealOptions = {}): { terminal: Tmux; pid: () => number } {
  const { args = '', env = {}, before = '', ...size } = options
  const pidFile = join(at.workspace, '..', 'pid')
  const run = `echo $$ > ${shellWord(pidFile)}; exec ${shellWord(process.execPath)} ${shellWord(MAIN)} ${args}`
  const program = `sh -c ${quotedWord(run)}`
  const command = `sh -c '${before}${program.replaceAll("'", "'\\''")}; echo "left with $?"; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exec sh'`
  const terminal = new Tmux(command, { cwd: at.workspace, env: { ...at.env, ...env, HOME: at.workspace }, ...size })
  onTestFinished(() => terminal.close())
  return { terminal, pid: () => Number(readFileSync(pidFile, 'utf8')) }
}
