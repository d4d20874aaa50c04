import type { CommanderError } from 'commander'
import { PithError } from '../model/errors.ts'
import { printable } from './output/show.ts'
import { EXIT } from './process/exit-codes.ts'

/** Says in one line what went wrong, and with which exit code the program ends. `PITH_DEBUG` adds where it happened. */
export function reportError(error: unknown): number {
  // Help and version end this way too; what was wrong with the command line has been said.
  if (isCommanders(error)) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  process.stderr.write(`pith: ${printable(lineOf(error))}\n`)
  if (process.env.PITH_DEBUG) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return EXIT.failed
}

/** Told by its name, so that a program without a command line to read need not load what reads one. */
function isCommanders(error: unknown): error is CommanderError {
  return error instanceof Error && error.name === 'CommanderError' && 'exitCode' in error
}

function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n')
  if (error instanceof PithError) return line
  return `unexpected error: ${line}${process.env.PITH_DEBUG ? '' : ' (PITH_DEBUG=1 shows where)'}`
}
