import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type Interruption, interruptionOf } from '../interruption.ts'
import { groupIsAlive, killGroup } from './kill-group.ts'
import { OutputBuffer } from './output-buffer.ts'
import { PlainTextStream, plainText } from './plain-text.ts'

export type CommandOrder = {
  readonly command: string
  /** The wall that it runs behind; none when absent. */
  readonly sandbox?: Sandbox
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onOutput?: (text: string) => void
}

/** How a command ended. `group`: what it started goes on running in this process group. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly group?: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals; readonly number: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly why: string }

/** Of a flood nobody reads more, and each byte of it would stay in the log for good. */
const MOST_OUTPUT_BYTES = 1_000_000
/** How long the output may stay open behind the end of the shell; then something in the background holds it. */
const LINGER_MS = 200
const LONGEST_LINGER_MS = 2_000
/** A pause that has lost its race does not keep the process from ending. */
const UNHELD = { ref: false }

/** Runs a command line in a process group of its own; when its time is over or it is aborted the whole group is killed. */
export async function runCommand(order: CommandOrder): Promise<{ output: string; end: CommandEnd }> {
  const buffer = new OutputBuffer(MOST_OUTPUT_BYTES)
  const end = order.signal.aborted ? { kind: 'aborted' as const } : await run(order, buffer)
  return { output: plainText(new TextDecoder('utf-8').decode(buffer.bytes())), end }
}

async function run(order: CommandOrder, buffer: OutputBuffer): Promise<CommandEnd> {
  const child = await started(order)
  if (child instanceof Error) return { kind: 'not-started', why: child.message }
  collect(child, buffer, order.onOutput)
  const closed = once(child, 'close')
  const interruption = interruptionOf(order)
  try {
    const kind = await Promise.race([exited(child), interruption.happened])
    return kind === undefined ? await endOf(child, closed) : await killed(child, closed, kind)
  } finally {
    interruption.forget()
    letGo(child)
  }
}

type Shell = ChildProcessByStdio<null, Readable, null>

/** One pipe for both streams: what was written stays in its order, which two pipes cannot promise. */
async function started({ command, folder, env, sandbox }: CommandOrder): Promise<Shell | Error> {
  const shell = [SHELL, '-c', 'exec "$0" -c "$1" 2>&1', SHELL, command]
  const [program = SHELL, ...args] = sandbox?.wrap(shell) ?? shell
  try {
    const child = spawn(program, args, {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child, 'spawn')
    return child
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function collect(child: Shell, buffer: OutputBuffer, onOutput: CommandOrder['onOutput']): void {
  const plain = new PlainTextStream()
  child.stdout.on('data', (chunk: Buffer) => {
    buffer.add(chunk)
    onOutput?.(plain.add(chunk))
  })
  child.stdout.on('error', () => {})
}

async function exited(child: Shell): Promise<undefined> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function endOf(child: Shell, closed: Promise<unknown>): Promise<CommandEnd> {
  await Promise.race([closed, lingering(child)])
  const { exitCode, signalCode, pid } = child
  if (signalCode !== null) return { kind: 'signalled', signal: signalCode, number: constants.signals[signalCode] }
  const left = pid !== undefined && groupIsAlive(pid) ? { group: pid } : {}
  return { kind: 'exited', code: exitCode ?? 0, ...left }
}

/** Until the output is sure to have come, though something that left the group may hold it open. */
async function lingering({ pid }: Shell): Promise<void> {
  await pause(LINGER_MS, undefined, UNHELD)
  if (pid === undefined || !groupIsAlive(pid)) await pause(LONGEST_LINGER_MS, undefined, UNHELD)
  await turn()
}

async function killed(child: Shell, closed: Promise<unknown>, kind: Interruption): Promise<CommandEnd> {
  if (child.pid !== undefined) await killGroup(child.pid)
  await Promise.race([closed, pause(LINGER_MS, undefined, UNHELD)])
  // Something that left the group may hold the pipe for ever.
  child.stdout.destroy()
  return { kind }
}

/** A background process keeps an output that somebody reads, so that it does not block; it does not keep our process alive. */
function letGo(child: Shell): void {
  child.stdout.removeAllListeners('data')
  child.stdout.resume()
  child.unref()
  if ('unref' in child.stdout && typeof child.stdout.unref === 'function') child.stdout.unref()
}

/** The shell that runs command lines: bash, or where there is none the system's own. */
const SHELL: string = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'].find(existsSync) ?? 'bash'
