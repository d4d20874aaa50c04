import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { quotedWord } from '../../model/text.ts'

/** How a program ended. */
export type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** A process with this terminal that waits to become a program. Its number is that of the program, and known before. */
export type WaitingProgram = {
  readonly pid: number
  /** It becomes the program. From now on the keys of the terminal belong to the program, until it has ended. */
  become(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProgramEnd>
  /** It ends without having become anything. */
  cancel(): void
}

/** Becomes what it reads. The text is not on the command line, which everybody on the machine can read. */
const BECOME = 'eval "$(cat <&3)"'

/**
 * Starts it. It is in the process group of this process, so the kernel sends the keys for signals, job control and changes of
 * size to both. This process ignores those that end a program, passes on a signal that was sent to it alone, and stops when the program does.
 */
export function waitingProgram(): WaitingProgram {
  const child = spawn('/bin/sh', ['-c', BECOME], { stdio: ['inherit', 'inherit', 'inherit', 'pipe'] })
  const script = child.stdio[3] as Writable
  script.on('error', () => undefined)
  const end = new Promise<ProgramEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  return {
    pid: child.pid ?? 0,
    become(file, args, env) {
      leaveSignals(child)
      const set = Object.entries(env).map(([name, value]) => `export ${name}=${quotedWord(value)}`)
      script.end(['exec 3<&-', ...set, `exec ${[file, ...args].map(quotedWord).join(' ')}`].join('\n'))
      return end
    },
    cancel: () => void script.end(),
  }
}

const FROM_KEYS = ['SIGINT', 'SIGQUIT'] as const
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const

function leaveSignals(child: ChildProcess): void {
  for (const signal of FROM_KEYS) process.on(signal, () => undefined)
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal))
  // Most agents stop the whole group on Ctrl+Z. If one stops only itself, the shell must see this process stop, too.
  process.on('SIGCHLD', () => isStopped(child.pid) && process.kill(process.pid, 'SIGSTOP'))
}

/** True for a stopped process. Only Linux shows that in a file. */
function isStopped(pid = 0): boolean {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Ends this process as the program ended, so that a shell sees no difference. */
export function endAs({ code, signal }: ProgramEnd): void {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // Node ignores some signals.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}
