import { count } from '../../../engine/report/numbers.ts'

/**
 * Applies the output of a command as a terminal does: carriage returns, backspaces, cursor moves and erasing. Lines that scroll
 * off the screen are final: they go to `onLine` and are not kept here. Unlike a terminal it has no width, so lines never wrap.
 * Every character costs the same, however long the output is.
 */
export class AppliedOutput {
  readonly #onLine: (line: string) => void
  #screen = newScreen()
  /** The screen below the one that a full-screen program opened. */
  #main: Screen | undefined
  #saved = { x: 0, y: 0 }
  /** The beginning of an escape sequence whose end has not arrived yet. */
  #begun = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  add(more: string): void {
    const all = this.#begun + more
    const end = all.length - begunSequence(all)
    this.#begun = all.slice(end)
    const text = all.slice(0, end).replace(COLOURS, '').replaceAll('\r\n', '\n')
    if (ACTS.test(text) || !this.#isAtEnd()) this.#apply(text)
    else this.#append(text)
  }

  /** Adds text that moves nothing. Most output is of this kind, and a flood of it must be quick. */
  #append(text: string): void {
    const lines = text.split('\n')
    this.#write(lines[0] ?? '')
    // The lines that have scrolled off before anything can change them need no row.
    const scrolled = Math.max(1, lines.length - HEIGHT)
    if (scrolled > 1) {
      for (const row of this.#screen.rows.splice(0)) this.#onLine(row.text())
      for (let i = 1; i < scrolled; i++) this.#onLine(lineText(lines[i] ?? ''))
      Object.assign(this.#screen, newScreen())
      this.#write(lines[scrolled] ?? '')
    }
    for (let i = scrolled + (scrolled > 1 ? 1 : 0); i < lines.length; i++) {
      this.#newLine()
      this.#write(lines[i] ?? '')
    }
  }

  #isAtEnd(): boolean {
    const { rows, x, y } = this.#screen
    return this.#main === undefined && y === rows.length - 1 && x === rows[y]?.length
  }

  #apply(text: string): void {
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at)
      if (isControl(code)) at += this.#act(code, text, at)
      else {
        let end = at + 1
        while (end < text.length && !isControl(text.charCodeAt(end))) end++
        this.#write(text.slice(at, end))
        at = end
      }
    }
  }

  /** Does what the control character at a place says, and returns the length of its sequence. */
  #act(code: number, text: string, at: number): number {
    if (code !== ESCAPE && code !== CSI) {
      this.#control(code)
      return 1
    }
    SEQUENCE.lastIndex = at
    const [all = '?', parameters = '', sequence, short] = SEQUENCE.exec(text) ?? []
    if (sequence !== undefined) this.#sequence(sequence, parameters)
    else if (short !== undefined) this.#escape(short)
    return all.length
  }

  /** Passes on the lines that are still on the screen. */
  end(): void {
    for (const screen of [this.#main, this.#screen]) {
      if (screen === undefined) continue
      const { rows, y } = screen
      while (rows.length - 1 > y && rows.at(-1)?.length === 0) rows.pop()
      for (const row of rows) this.#onLine(row.text())
    }
  }

  #write(text: string): void {
    const screen = this.#screen
    const row = screen.rows[screen.y]
    if (row !== undefined) screen.x = row.write(screen.x, text)
  }

  #control(code: number): void {
    if (code === LINE_FEED) this.#newLine()
    else if (code === CARRIAGE_RETURN) this.#screen.x = 0
    else if (code === BACKSPACE) this.#screen.x = Math.max(0, this.#screen.x - 1)
  }

  #newLine(): void {
    const screen = this.#screen
    screen.x = 0
    if (screen.y === HEIGHT - 1) {
      const top = screen.rows.shift()
      // A full-screen program's lines are not part of the scrollback.
      if (top !== undefined && this.#main === undefined) this.#onLine(top.text())
      screen.rows.push(top?.cleared() ?? new Row())
    } else this.#moveTo(screen.y + 1)
  }

  #moveTo(y: number, x = this.#screen.x): void {
    const screen = this.#screen
    screen.y = Math.min(HEIGHT - 1, Math.max(0, y))
    while (screen.rows.length <= screen.y) screen.rows.push(new Row())
    screen.x = Math.min(Math.max(0, x), Math.max(WIDTH, screen.x, screen.rows[screen.y]?.length ?? 0))
  }

  #escape(final: string): void {
    const { x, y, rows } = this.#screen
    if (final === '7') this.#saved = { x, y }
    else if (final === '8') this.#moveTo(this.#saved.y, this.#saved.x)
    else if (final === 'M' && y > 0) this.#moveTo(y - 1)
    else if (final === 'M') rows.unshift((rows.length === HEIGHT ? rows.pop()?.cleared() : undefined) ?? new Row())
    else if (final === 'E') this.#newLine()
    else if (final === 'c') this.#screen = newScreen()
  }

  #sequence(final: string, parameters: string): void {
    if (parameters.startsWith('?')) return this.#mode(final, parameters)
    const [first = 0, second = 0] = parameters.split(';').map((number) => Number.parseInt(number, 10) || 0)
    const steps = Math.max(1, first)
    const { x, y } = this.#screen
    switch (final) {
      case 'A':
        return this.#moveTo(y - steps)
      case 'B':
        return this.#moveTo(y + steps)
      case 'C':
        return this.#moveTo(y, x + steps)
      case 'D':
        return this.#moveTo(y, x - steps)
      case 'E':
        return this.#moveTo(y + steps, 0)
      case 'F':
        return this.#moveTo(y - steps, 0)
      case 'G':
      case '`':
        return this.#moveTo(y, steps - 1)
      case 'd':
        return this.#moveTo(steps - 1)
      case 'H':
      case 'f':
        return this.#moveTo(steps - 1, Math.max(1, second) - 1)
      case 'J':
        return this.#eraseScreen(first)
      case 'K':
        return first > 2 ? undefined : this.#screen.rows[y]?.erase(x, first)
      case 's':
        this.#saved = { x, y }
        return
      case 'u':
        return this.#moveTo(this.#saved.y, this.#saved.x)
    }
  }

  #eraseScreen(what: number): void {
    const { rows, x, y } = this.#screen
    // 3 erases the lines that have scrolled off, which stay in the output.
    if (what > 2) return
    if (what < 2) rows[y]?.erase(x, what)
    for (const [i, row] of rows.entries()) if (what === 2 || (what === 0 ? i > y : i < y)) row.cleared()
  }

  /** The second screen of full-screen programs, such as editors and pagers. */
  #mode(final: string, parameters: string): void {
    if (!/^\?(?:1049|1047|47)$/.test(parameters)) return
    if (final === 'h' && this.#main === undefined) {
      this.#main = this.#screen
      this.#screen = newScreen()
    } else if (final === 'l' && this.#main !== undefined) {
      this.#screen = this.#main
      this.#main = undefined
    }
  }
}

/** The rows on which a cursor can move. Those above have scrolled off. */
const HEIGHT = 50
/** A cursor moves to the right of a line's end only up to here. */
const WIDTH = 500

type Screen = { readonly rows: Row[]; x: number; y: number }

function newScreen(): Screen {
  return { rows: [new Row()], x: 0, y: 0 }
}

const [BACKSPACE, LINE_FEED, CARRIAGE_RETURN, ESCAPE, CSI] = [0x08, 0x0a, 0x0d, 0x1b, 0x9b]

/** Tabs are characters of a line like others. */
function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f)
}

/** Colours change nothing that is read. */
const COLOURS = /\u001b\[[\d;:]{0,64}m/g
const ACTS = /[\0-\u0008\u000b-\u001f\u007f-\u009f]/
const SEQUENCE =
  /(?:\u001b\[|\u009b)([0-?]{0,64})[ -/]{0,8}([@-~])|\u001b[\]P^_X][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]{0,4}([0-~])/y

/** How many characters at the end of a text are the beginning of an escape sequence. */
function begunSequence(text: string): number {
  const last = Math.max(text.lastIndexOf('\u001b'), text.lastIndexOf('\u009b'))
  if (last === -1) return 0
  // The end of a title, for example, is an escape of its own.
  const before = last === text.length - 1 && last > 0 ? text.lastIndexOf('\u001b', last - 1) : -1
  const from = [before, last].find((at) => at !== -1 && BEGUN.test(text.slice(at)))
  return from === undefined ? 0 : text.length - from
}

const BEGUN =
  /^(?:(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}|\u001b[\]P^_X][^\u0007\u001b]{0,4096}\u001b?|\u001b[ -/]{0,4})$/

/** A longer line, such as one of minified code, is shortened to its head and tail. */
const MOST_CHARACTERS = 4_000
const HEAD = 3_000
const TAIL = MOST_CHARACTERS - HEAD
/** A row has room for this many characters. When it is full, its middle is dropped. */
const ROOM = 16_384
const PIECE = ROOM / 2

/** A line on the screen. The characters are cells in memory, so that writing over one never copies the others. */
class Row {
  #cells = new Uint16Array(80)
  #length = 0
  #dropped = 0
  #isEdited = false

  get length(): number {
    return this.#length
  }

  /** Writes a text over the cells at `x`, and returns where the cursor is then. */
  write(x: number, text: string): number {
    let at = x
    for (let i = 0; i < text.length; i += PIECE) {
      const end = Math.min(text.length, i + PIECE)
      if (at + end - i > ROOM) at = this.#dropBefore(at)
      this.#ensure(at + end - i)
      if (at < this.#length) this.#isEdited = true
      else this.#cells.fill(BLANK, this.#length, at)
      for (let from = i; from < end; from++) this.#cells[at++] = text.charCodeAt(from)
      this.#length = Math.max(this.#length, at)
    }
    return at
  }

  /** Erases from `x` to the end (0), up to `x` (1), or all (2). */
  erase(x: number, what: number): void {
    this.#isEdited = true
    if (what === 1) this.#cells.fill(BLANK, 0, Math.min(x + 1, this.#length))
    else this.#length = what === 2 ? 0 : Math.min(x, this.#length)
    if (this.#length <= HEAD) this.#dropped = 0
  }

  cleared(): this {
    this.#length = 0
    this.#dropped = 0
    this.#isEdited = false
    return this
  }

  text(): string {
    const line = String.fromCharCode.apply(null, this.#cells.subarray(0, this.#length) as unknown as number[])
    // Blanks are left where something was written over or erased. In other lines they are output like any other.
    return lineText((this.#isEdited ? line.replace(/ +$/, '') : line).toWellFormed(), this.#dropped)
  }

  /** Drops the cells before `x` except the head of the line and the last ones, and returns the new place of `x`. */
  #dropBefore(x: number): number {
    const dropped = x - MOST_CHARACTERS
    this.#cells.fill(BLANK, this.#length, x)
    const length = Math.max(x, this.#length)
    this.#cells.copyWithin(HEAD, HEAD + dropped, length)
    this.#length = length - dropped
    this.#dropped += dropped
    return MOST_CHARACTERS
  }

  #ensure(length: number): void {
    if (length <= this.#cells.length) return
    const larger = new Uint16Array(Math.min(ROOM, length * 2))
    larger.set(this.#cells.subarray(0, this.#length))
    this.#cells = larger
  }
}

const BLANK = 0x20

/** A line, or the head and tail of a long one whose middle may have been dropped already. */
function lineText(text: string, dropped = 0): string {
  if (text.length <= MOST_CHARACTERS && dropped === 0) return text
  const cut = count(text.length + dropped - MOST_CHARACTERS)
  const [head, tail] = [text.slice(0, HEAD).toWellFormed(), text.slice(-TAIL).toWellFormed()]
  return `${head}[… ${cut} characters of this line left out …]${tail}`
}
