import { stripVTControlCharacters, styleText } from 'node:util'
import { oneLine, printable, printableJson } from '../../model/text.ts'
import { type SummaryItem, textOf } from '../../model/types.ts'

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

/** Ends the process when all is printed, whatever still runs in it. */
export function endPrinted(): void {
  process.stdout.write('', () => process.exit())
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

/** The record as the model sees it, without the frame around it. */
export function recordText({ message, text }: SummaryItem): string {
  const shown = textOf(message)
  return RECORD.exec(shown)?.[2] ?? (shown === '' ? text : shown)
}

/** A tone of the output. It is a colour only on a terminal, and only without `NO_COLOR`. */
export type Tint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta'

/** The text in a tone. */
export function tinted(text: string, tone: Tint): string {
  return text === '' ? '' : styleText(tone, text, { stream: process.stdout })
}

/** A text for a terminal: except for plain text, only the tones of `tinted` pass. Everything that a command prints goes through here. */
export function terminalText(text: string): string {
  return text
    .split(TINTS)
    .map((piece, i) => (i % 2 === 0 ? printable(piece) : piece))
    .join('')
}

/** The codes of the tones and of their ends. None of them hides a text or moves the cursor. */
const TINTS = /(\x1b\[(?:1|2|22|3[1-6]|39)m)/

/** The width of the terminal; 100 where there is none. */
export function screenWidth(): number {
  return Math.max(40, process.stdout.columns ?? 100)
}

/** East Asian characters and emoji take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const NARROW = /^[\u0020-\u007e]*$/

/** How many columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  const plain = stripVTControlCharacters(text).replace(/\p{Mn}|\p{Me}|\u200d|\ufe0f/gu, '')
  return [...plain].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)
}

/** A text on one line of at most this many columns, with `…` where it was cut; nothing in it moves the cursor. */
export function fitted(text: string, width: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim())
  if (displayWidth(line) <= width) return line
  let kept = ''
  let taken = 1
  for (const character of line) {
    taken += displayWidth(character)
    if (taken > width) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** The same for a path: its end is kept, which distinguishes it from others. */
export function fittedPath(path: string, width: number): string {
  const line = printable(path)
  if (displayWidth(line) <= width) return line
  const characters = [...line]
  while (characters.length > 0 && displayWidth(characters.join('')) > width - 1) characters.shift()
  return `…${characters.join('')}`
}

/** A path below the home folder, with `~` in its place. */
export function homePath(path: string, home: string): string {
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** Facts in as few lines as possible. A fact is cut only where it does not fit into a line of its own. */
export function wrappedFacts(facts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const fact of facts) {
    const longer = `${lines.at(-1)} · ${fact}`
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(fact)
  }
  return lines.map((line) => fitted(line, width))
}

/** Rows as aligned lines, two spaces between columns. */
export function columns(rows: readonly (readonly string[])[], align: readonly ('left' | 'right')[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))))
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, align[column] ?? 'left'))
      .join('  ')
      .trimEnd(),
  )
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return align === 'right' ? space + cell : cell + space
}

function widthOf(cell: string | undefined): number {
  return displayWidth(cell ?? '')
}
