import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { type Interruption, interruptionOf } from '../../interruption.ts'
import { MARK, newMark, OwnedProcess } from '../../processes/owned-process.ts'
import { groupIsAlive } from '../../processes/process-table.ts'
import type { NeverRule, Sandbox } from '../../sandbox/sandbox.ts'
import { type CommandOutput, OutputReader } from './command-output.ts'

export type CommandOrder = {
  readonly command: string
  /** The sandbox in which it runs. If absent, it runs without one. */
  readonly sandbox?: Sandbox
  /** The rules that the sandbox keeps. */
  readonly never?: readonly NeverRule[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** It may be detached: see `RunningCommand.detach`. */
  readonly canOutlive?: boolean
  readonly onOutput?: (text: string) => void
}

/**
 * How a command ended. `group`: processes that it started still run in this process group. `endedOthers`: there were such
 * processes, and they ended with the sandbox.
 */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly group?: number; readonly endedOthers?: boolean }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals; readonly number: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly why: string }

/** How long we wait for the output after the shell has ended. If it is still open, a background process holds it. */
const LINGER_MS = 200
const LONGEST_LINGER_MS = 2_000
const POLL_MS = 5
/** A pending pause must not keep our process from ending. */
const UNHELD = { ref: false }

type EndedCommand = { readonly output: CommandOutput; readonly end: CommandEnd }

/** A command that was started, and may continue in the background. */
type RunningCommand = {
  readonly ended: Promise<EndedCommand>
  /** The output so far. */
  readonly output: () => string
  /** From now on neither the timeout nor the signal ends it. */
  readonly unlimit: () => void
  /** Ends the command and all processes that it started. */
  readonly stop: () => void
  /** Lets it run on when we end. Its further output goes to the file. The process group; undefined if it must end with us. */
  readonly detach: (file: string) => number | undefined
}

/** Starts a command line in its own process group. The command and all processes that it started are killed at the timeout, on an abort and when we end. */
export async function startCommand(order: CommandOrder): Promise<RunningCommand> {
  const reader = new OutputReader()
  const output = () => reader.soFar()
  const started = order.signal.aborted ? undefined : await start(order)
  if (started === undefined || started instanceof Error) {
    const end: CommandEnd = started === undefined ? { kind: 'aborted' } : { kind: 'not-started', why: started.message }
    return {
      ended: Promise.resolve({ output: { text: '' }, end }),
      output,
      unlimit() {},
      stop() {},
      detach: () => undefined,
    }
  }
  const interruption = interruptionOf(order)
  const { promise: stopped, resolve } = Promise.withResolvers<Interruption>()
  const ended = run(started, Promise.race([interruption.happened, stopped]), { ...order, reader })
  return {
    ended: ended.finally(interruption.forget).then((end) => ({ output: reader.end(), end })),
    output,
    unlimit: interruption.forget,
    stop: () => resolve('aborted'),
    detach: (file) => {
      if (order.sandbox?.name === 'bubblewrap' && order.canOutlive !== true) return undefined
      writeFileSync(file, output(), { mode: 0o600 })
      pourInto(file, started.child)
      started.owned.detach()
      return started.owned.group
    },
  }
}

/** Lets another process write the rest of the output into a file. Without a reader, the command would end when it writes. */
function pourInto(file: string, child: Shell): void {
  const target = openSync(file, 'a', 0o600)
  try {
    child.stdout.removeAllListeners('data').pause()
    spawn('cat', [], { detached: true, cwd: '/', stdio: [child.stdout, target, 'ignore'] })
      .on('error', () => {})
      .unref()
  } finally {
    closeSync(target)
  }
  for (const stream of child.stdio) stream?.destroy()
  child.unref()
}

async function run(
  started: Started,
  interrupted: Promise<Interruption>,
  { reader, onOutput }: Pick<CommandOrder, 'onOutput'> & { readonly reader: OutputReader },
): Promise<CommandEnd> {
  const { child, owned, others } = started
  collect(child, reader, onOutput)
  const closed = once(child, 'close')
  try {
    const kind = await Promise.race([exited(child), interrupted])
    if (kind !== undefined) return await killed(started, closed, kind)
    const end = await endOf(child, closed, others !== undefined)
    owned.exited()
    return end.kind === 'exited' && (await others) ? { ...end, endedOthers: true } : end
  } finally {
    letGo(child)
  }
}

type Shell = ChildProcessByStdio<null, Readable, null>

type Started = {
  readonly child: Shell
  readonly owned: OwnedProcess
  /** Whether other processes ran when the command itself ended. Absent if they do not end with it. */
  readonly others?: Promise<boolean>
}

/** The file descriptor on which the shell reports that other processes run. */
const REPORT = 3

/**
 * Runs a command line as the first process of a sandbox with its own processes, and reports if it is not the last one. The
 * sandbox itself and this shell always run.
 */
const REPORTING_SHELL = `"$0" -c "$1" 2>&1 ${REPORT}>&-
code=$?
set -- /proc/[0-9]*
[ $# -gt 2 ] && echo others >&${REPORT}
exit $code`

/** Starts the shell with one pipe for both streams. Two pipes would not keep the order of the output. */
async function start({
  command,
  folder,
  env,
  sandbox,
  never = [],
  canOutlive,
}: CommandOrder): Promise<Started | Error> {
  const reports = sandbox?.name === 'bubblewrap'
  const shell = [SHELL, '-c', reports ? REPORTING_SHELL : 'exec "$0" -c "$1" 2>&1', SHELL, command]
  const [program = SHELL, ...args] = sandbox?.wrap(shell, { never, canOutlive }) ?? shell
  const mark = newMark()
  try {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...env, [MARK]: mark },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', ...(reports ? (['pipe'] as const) : [])],
    }) as Shell
    await once(child, 'spawn')
    const owned = new OwnedProcess(child.pid ?? 0, mark)
    return { child, owned, ...(reports ? { others: reportsOthers(child) } : {}) }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function reportsOthers(child: Shell): Promise<boolean> {
  const report = child.stdio[REPORT]
  return report instanceof Readable && (await text(report).catch(() => '')) !== ''
}

function collect(child: Shell, reader: OutputReader, onOutput: CommandOrder['onOutput']): void {
  child.stdout.on('data', (chunk: Buffer) => {
    const text = reader.add(chunk)
    if (text !== '') onOutput?.(text)
  })
  child.stdout.on('error', () => {})
}

async function exited(child: Shell): Promise<undefined> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function endOf(child: Shell, closed: Promise<unknown>, endsOthers: boolean): Promise<CommandEnd> {
  await Promise.race([closed, lingering(child)])
  const { exitCode, signalCode, pid } = child
  // The first process of the sandbox, which is in the group, ends after all others. Until then they may still write files.
  for (
    let waited = 0;
    endsOthers && pid !== undefined && waited < LONGEST_LINGER_MS && groupIsAlive(pid);
    waited += POLL_MS
  )
    await pause(POLL_MS, undefined, UNHELD)
  if (signalCode !== null) return { kind: 'signalled', signal: signalCode, number: constants.signals[signalCode] }
  const left = !endsOthers && pid !== undefined && groupIsAlive(pid) ? { group: pid } : {}
  return { kind: 'exited', code: exitCode ?? 0, ...left }
}

/** Waits until all output has certainly arrived, even if a process that left the group holds the pipe open. */
async function lingering({ pid }: Shell): Promise<void> {
  await pause(LINGER_MS, undefined, UNHELD)
  if (pid === undefined || !groupIsAlive(pid)) await pause(LONGEST_LINGER_MS, undefined, UNHELD)
  await turn()
}

async function killed({ child, owned }: Started, closed: Promise<unknown>, kind: Interruption): Promise<CommandEnd> {
  await owned.end()
  await Promise.race([closed, pause(LINGER_MS, undefined, UNHELD)])
  // A process that left the group may hold the pipe open forever.
  child.stdout.destroy()
  return { kind }
}

/** Continues to read the output of background processes, so that they do not block. They do not keep our process alive. */
function letGo(child: Shell): void {
  child.stdout.removeAllListeners('data')
  child.stdout.resume()
  child.unref()
  if ('unref' in child.stdout && typeof child.stdout.unref === 'function') child.stdout.unref()
}

/** The shell that runs command lines: bash or, if there is none, the system's shell. */
const SHELL: string = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'].find(existsSync) ?? 'bash'
