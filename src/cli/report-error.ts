import type { CommanderError } from 'commander'
import { PithError } from '../model/problems/errors.ts'
import { note } from './output/show.ts'
import { EXIT } from './process/exit-codes.ts'
import { UsageError } from './process/usage-error.ts'

/** Prints an error in one line and returns the exit code. `PITH_DEBUG` adds the stack. */
export function reportError(error: unknown): number {
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
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n')
  if (error instanceof PithError) return line
  return `unexpected error: ${line}${process.env.PITH_DEBUG ? '' : ' (PITH_DEBUG=1 shows where)'}`
}
