import type { EventEmitter } from 'node:events'
import type { CommanderError } from 'commander'
import { messageOf, PithError } from '../model/problems/errors.ts'
import { endPrinted, note, print } from './output/show.ts'
import { EXIT, UsageError } from './process/exit-codes.ts'
import { endQuietly } from './process/interruptible.ts'
import { withSmallHeap } from './process/small-heap.ts'

/** Runs a command line. An error becomes one line on standard error and an exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  quietSqlite(process)
  await withSmallHeap(args)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  process.on('uncaughtException', (error) => process.exit(reportError(error)))
  await runToEnd(args)
  // A compactor of the user's may have left a timer.
  if (args[0] === 'eval') endPrinted()
}

/** Runs a command line in this process, and leaves its exit code there. */
export async function runToEnd(args: readonly string[]): Promise<void> {
  try {
    await runArgs(args)
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

/** Without a command this is the terminal agent, or the demo where nobody can type. */
async function runArgs(args: readonly string[]): Promise<void> {
  const [first] = args
  if (first !== undefined && (!first.startsWith('-') || OF_COMMANDS.has(first))) return runCommand(args)
  if (first === undefined && !(process.stdin.isTTY && process.stdout.isTTY)) return runDemo()
  const { terminal } = await import('./commands/tui/tui.ts')
  await terminal(args)
}

const OF_COMMANDS: ReadonlySet<string> = new Set(['-h', '--help', '-v', '--version'])

async function runDemo(): Promise<void> {
  const { demo } = await import('./commands/demo.ts')
  await demo(print)
}

async function runCommand(args: readonly string[]): Promise<void> {
  const { program } = await import('./program.ts')
  const [first, command] = args
  // Commander runs no hooks for `help COMMAND`, and the formats of an option are loaded by one.
  const asked = first === 'help' && command !== undefined ? [command, '--help'] : args
  await program().parseAsync(asked, { from: 'user' })
}

/** Prints an error in one line and returns the exit code. `PITH_DEBUG` adds the stack. */
function reportError(error: unknown): number {
  // Commander has printed its message already. It ends `--help` and `--version` this way, too.
  if (isCommanders(error)) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  note(`pith: ${lineOf(error)}`)
  if (process.env.PITH_DEBUG) note(String(error instanceof Error ? error.stack : error))
  return error instanceof UsageError ? EXIT.usage : EXIT.failed
}

/** Compares the name: an `instanceof` would load Commander where no command line is read. */
function isCommanders(error: unknown): error is CommanderError {
  return error instanceof Error && error.name === 'CommanderError' && 'exitCode' in error
}

function lineOf(error: unknown): string {
  const message = messageOf(error)
  const [line = ''] = message.split('\n')
  if (error instanceof PithError) return line
  return `unexpected error: ${line}${process.env.PITH_DEBUG ? '' : ' (PITH_DEBUG=1 shows where)'}`
}

/** Leaves out Node 22's warning that its SQLite is experimental, which every command would print. Other warnings are printed as before. */
export function quietSqlite(warned: EventEmitter): void {
  const before = warned.listeners('warning')
  warned.removeAllListeners('warning')
  warned.on('warning', (warning: Error) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return
    for (const print of before) Reflect.apply(print, warned, [warning])
  })
}
