import { print } from './output/show.ts'
import { endQuietly } from './process/broken-pipe.ts'
import { quietSqlite } from './process/quiet-sqlite.ts'
import { withSmallHeap } from './process/small-heap.ts'
import { reportError } from './report-error.ts'

/** Runs a command line. An error becomes one line on standard error and an exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  quietSqlite(process)
  await withSmallHeap(args)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  process.on('uncaughtException', (error) => process.exit(reportError(error)))
  await runToEnd(args)
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
