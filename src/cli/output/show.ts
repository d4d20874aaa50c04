import { styleText } from 'node:util'
import { oneLine } from '../../engine/text/one-line.ts'
import { printable } from '../../engine/text/printable.ts'

const CELL_CHARACTERS = 80

/** A value on one short line, safe for a terminal. */
export function cellText(value: unknown): string {
  return oneLine(valueText(value), CELL_CHARACTERS)
}

/** A value as text, uncut. Control characters are escaped. */
export function valueText(value: unknown): string {
  return printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/** Less important text. It is plain with `NO_COLOR` and outside of a terminal. */
export function muted(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}

/** Prints one line of the command's result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints one line to standard error, so that programs that read the result do not see it. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}
