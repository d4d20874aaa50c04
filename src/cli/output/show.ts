import { oneLine, printable, printableJson } from '../../model/text.ts'
import { type SummaryItem, textOf } from '../../model/types.ts'
import { terminalText, tinted } from './terminal-text.ts'

const CELL_CHARACTERS = 80

/** A value on one short line, safe for a terminal. */
export function cellText(value: unknown): string {
  return oneLine(valueText(value), CELL_CHARACTERS)
}

/** A value as text, uncut. Control characters are escaped. */
export function valueText(value: unknown): string {
  return printable(typeof value === 'string' ? value : printableJson(value))
}

/** Less important text. It is plain with `NO_COLOR` and outside of a terminal. */
export function muted(text: string): string {
  return tinted(text, 'dim')
}

/** Prints one line of the command's result. */
export function print(line: string): void {
  say(`${line}\n`)
}

/** Prints one line to standard error, so that programs that read the result do not see it. */
export function note(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`)
}

/** Prints a part of a line of the result. */
export function say(text: string): void {
  process.stdout.write(terminalText(text))
}

/** Prints a value as JSON: on several lines, or on one. */
export function printJson(value: unknown, form: 'lines' | 'line' = 'lines'): void {
  process.stdout.write(`${printableJson(value, form === 'lines' ? 2 : undefined)}\n`)
}

/** Writes a text that a program reads, byte for byte. A terminal gets it as it gets every other text. */
export function writeExact(text: string): void {
  process.stdout.write(process.stdout.isTTY ? terminalText(text) : text)
}

/** Shows a line that the next one replaces, on a terminal only; an empty one removes it. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY && line !== progress) process.stderr.write(`\r\x1b[K${terminalText(line)}`)
  progress = line
}

let progress = ''

const RECORD = /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/

/** The summary and the index as the model sees them, without the frame around them. */
export function recordText({ message, text }: SummaryItem): string {
  const shown = textOf(message)
  return RECORD.exec(shown)?.[2] ?? (shown === '' ? text : shown)
}
