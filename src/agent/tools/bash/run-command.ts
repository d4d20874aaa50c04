import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { MARK, newMark, OwnedProcess } from '../../processes/owned-process.ts'
import { groupIsAlive } from '../../processes/process-table.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type Interruption, interruptionOf } from '../interruption.ts'
import { OutputBuffer } from './output-buffer.ts'

/** A terminal's text without escapes (colours, cursor moves, titles, links) and other control characters; lines and tabs stay. */
export function plainText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '')
}

/** Makes plain text of pieces as they come: bytes of a character or an escape that are not all there wait for the next. */
export class PlainTextStream {
  readonly #decoder = new TextDecoder('utf-8')
  #rest = ''

  add(chunk: Uint8Array): string {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true })
    const open = OPEN_ESCAPE.exec(text.slice(-LONGEST_OPEN))
    const end = open === null ? text.length : text.length - open[0].length
    this.#rest = text.slice(end)
    return plainText(text.slice(0, end))
  }
}

const LONGEST_OPEN = 500
const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[\]P^_X][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]{0,4}[0-~]/g
const CONTROLS = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
const OPEN_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*|[\]P^_X][^\u0007\u001b]*\u001b?|[ -/]*)$/

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

/** Runs a command line in a process group of its own. It is killed with all that it started when its time is over, when it is aborted and when we end. */
export async function runCommand(order: CommandOrder): Promise<{ output: string; end: CommandEnd }> {
  const buffer = new OutputBuffer(MOST_OUTPUT_BYTES)
  const end = order.signal.aborted ? { kind: 'aborted' as const } : await run(order, buffer)
  return { output: plainText(new TextDecoder('utf-8').decode(buffer.bytes())), end }
}

async function run(order: CommandOrder, buffer: OutputBuffer): Promise<CommandEnd> {
  const started = await start(order)
  if (started instanceof Error) return { kind: 'not-started', why: started.message }
  const { child, owned, placed } = started
  collect(child, buffer, order.onOutput)
  const closed = once(child, 'close')
  const interruption = interruptionOf(order)
  try {
    const kind = await Promise.race([exited(child), interruption.happened])
    if (kind !== undefined) return await killed(started, closed, kind)
    const end = await endOf(child, closed)
    await placed
    owned.exited()
    return end
  } finally {
    interruption.forget()
    letGo(child)
  }
}

type Shell = ChildProcessByStdio<null, Readable, null>

type Started = {
  readonly child: Shell
  readonly owned: OwnedProcess
  /** Resolves when the sandbox is known. */
  readonly placed: Promise<void>
}

/** Where bubblewrap says which namespace it has made. */
const REPORT = 3

/** One pipe for both streams: what was written stays in its order, which two pipes cannot promise. */
async function start({ command, folder, env, sandbox }: CommandOrder): Promise<Started | Error> {
  const shell = [SHELL, '-c', 'exec "$0" -c "$1" 2>&1', SHELL, command]
  const reports = sandbox?.name === 'bubblewrap'
  const [program = SHELL, ...args] = sandbox?.wrap(shell, reports ? REPORT : undefined) ?? shell
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
    return { child, owned, placed: readMounts(child, owned) }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function readMounts(child: Shell, owned: OwnedProcess): Promise<void> {
  const report = child.stdio[REPORT]
  if (!(report instanceof Readable)) return
  const said = await text(report).catch(() => '')
  const [, mounts] = /"mnt-namespace": *(\d+)/.exec(said) ?? []
  if (mounts !== undefined) owned.mounts = mounts
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

async function killed({ child, owned }: Started, closed: Promise<unknown>, kind: Interruption): Promise<CommandEnd> {
  await owned.end()
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
