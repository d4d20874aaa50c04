/** A heredoc that was announced: its end mark, and whether tabs before the mark are allowed. */
type HeredocMark = { mark: string; tabs: boolean }

/** The mark announced by the `<<` at this index and the index after it, if there is one. */
function heredocMark(text: string, index: number): (HeredocMark & { end: number }) | undefined {
  MARK.lastIndex = index
  const match = MARK.exec(text)
  const mark = match?.[2] ?? match?.[3] ?? match?.[4]
  return match === null || mark === undefined ? undefined : { mark, tabs: match[1] === '-', end: MARK.lastIndex }
}

/** The end of the body that starts at this index, and the start of the line after its mark. */
function heredocEnd(text: string, index: number, { mark, tabs }: HeredocMark): { body: number; next: number } {
  for (let start = index; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    if ((tabs ? line.replace(/^\t+/, '') : line) === mark) return { body: start, next: end + 1 }
    start = end + 1
  }
  return { body: text.length, next: text.length }
}

/** The index after a `$(…)`, `${…}`, `(…)` whose content starts at this index; the end of the text if it is not closed. */
export function skipNested(text: string, index: number, close: ')' | '}'): number {
  const open: (')' | '}' | '"')[] = [close]
  const heredocs: HeredocMark[] = []
  let i = index
  while (i < text.length) {
    const char = text[i]
    const top = open.at(-1)
    const nested = char === '$' ? CLOSES[text[i + 1] ?? ''] : undefined
    if (char === '\\') i += 2
    else if (char === top) {
      open.pop()
      i++
      if (open.length === 0) return i
    } else if (nested !== undefined) {
      open.push(nested)
      i += 2
    } else if (top === '"') i++
    else if (char === '"') {
      open.push('"')
      i++
    } else if (char === '`') i = skipTo(text, i + 1, '`')
    else if (top === '}') i++
    else if (char === "'") i = skipTo(text, i + 1, "'")
    else if (char === '(') {
      open.push(')')
      i++
    } else if (char === '#' && /[\s(;]/.test(text[i - 1] ?? ' ')) i = lineEnd(text, i)
    else if (char === '<' && text[i + 1] === '<') {
      const heredoc = text[i + 2] === '<' ? undefined : heredocMark(text, i)
      if (heredoc !== undefined) heredocs.push(heredoc)
      i = heredoc?.end ?? i + 3
    } else if (char === '\n') {
      i++
      for (const heredoc of heredocs.splice(0)) i = heredocEnd(text, i, heredoc).next
    } else i++
  }
  return text.length
}

/** The index after the next quote of this kind; a backslash hides a backtick, but not a single quote. */
function skipTo(text: string, index: number, quote: "'" | '`'): number {
  if (quote === "'") {
    const end = text.indexOf(quote, index)
    return end === -1 ? text.length : end + 1
  }
  for (let i = index; i < text.length; i++) {
    if (text[i] === quote) return i + 1
    if (text[i] === '\\') i++
  }
  return text.length
}

/** The index of the next line feed, or the end of the text. */
function lineEnd(text: string, index: number): number {
  const newline = text.indexOf('\n', index)
  return newline === -1 ? text.length : newline
}

const CLOSES: Readonly<Record<string, ')' | '}' | undefined>> = { '(': ')', '{': '}' }
const MARK = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s'"\\;&|()<>`]+))/y

/** A word of a command line. It is `open` if the shell expands it to something that the text does not show. */
export type Word = {
  type: 'word'
  text: string
  open: boolean
  /** The word as it is written, if it is a path for `cmd` or PowerShell: bash would drop its backslashes. */
  path?: string
}
export type ShellToken =
  | Word
  /** `;` `&&` `||` `|` `&` `(` `)` or a line feed. */
  | { type: 'operator'; text: string }
  /** The next word is its target. */
  | { type: 'redirect'; text: string }
  | { type: 'heredoc'; body: string }

/** The tokens of a command line. Accepts any text: unclosed quotes and brackets reach to its end. */
export function shellTokens(command: string): ShellToken[] {
  return new Lexer(command).run()
}

class Lexer {
  readonly #text: string
  readonly #tokens: ShellToken[] = []
  readonly #heredocs: (HeredocMark & { token: { body: string } })[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): ShellToken[] {
    while (this.#at < this.#text.length) this.#next()
    return this.#tokens
  }

  #next(): void {
    const char = this.#text[this.#at] ?? ''
    if (char === ' ' || char === '\t' || char === '\r') this.#at++
    else if (char === '\n') this.#newline()
    else if (char === '#') this.#at = lineEnd(this.#text, this.#at)
    // A line that goes on.
    else if (char === '\\' && /^\r?\n/.test(this.#text.slice(this.#at + 1, this.#at + 3))) {
      this.#at = lineEnd(this.#text, this.#at) + 1
    } else if (char === '(' && this.#text[this.#at + 1] === '(') this.#arithmetic()
    else if (!this.#operator(char)) this.#word()
  }

  #newline(): void {
    this.#tokens.push({ type: 'operator', text: '\n' })
    this.#at++
    for (const { token, ...mark } of this.#heredocs.splice(0)) {
      const { body, next } = heredocEnd(this.#text, this.#at, mark)
      token.body = this.#text.slice(this.#at, body)
      this.#at = next
    }
  }

  #arithmetic(): void {
    this.#at = skipNested(this.#text, this.#at + 1, ')')
    this.#tokens.push({ type: 'word', text: '((', open: true })
  }

  #operator(char: string): boolean {
    if (!OPERATOR_START.includes(char)) return false
    OPERATOR.lastIndex = this.#at
    const text = OPERATOR.exec(this.#text)?.[0]
    if (text === undefined) return false
    if (text === '<<') return this.#heredoc()
    this.#tokens.push({ type: REDIRECT.test(text) ? 'redirect' : 'operator', text })
    this.#at = OPERATOR.lastIndex
    return true
  }

  #heredoc(): true {
    const found = heredocMark(this.#text, this.#at)
    this.#at = found?.end ?? this.#at + 2
    if (found !== undefined) {
      const token = { type: 'heredoc' as const, body: '' }
      this.#tokens.push(token)
      this.#heredocs.push({ mark: found.mark, tabs: found.tabs, token })
    }
    return true
  }

  #word(): void {
    const word: Word = { type: 'word', text: '', open: false }
    const start = this.#at
    while (this.#at < this.#text.length && this.#piece(word)) {}
    // The number of a redirected stream is not a word: `2>file`.
    const end = this.#text[this.#at]
    const isStream = (end === '<' || end === '>') && /^\d{1,3}$/.test(this.#text.slice(start, this.#at))
    if (isStream) return
    const written = this.#text.slice(start, this.#at)
    if (word.text.length < written.length && OF_WINDOWS.test(written)) word.path = written
    this.#tokens.push(word)
  }

  /** Reads one run, quote or expansion into the word; false at the word's end. */
  #piece(word: Word): boolean {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1]
    if (char === "'") this.#singleQuote(word)
    else if (char === '"') this.#doubleQuote(word)
    else if (char === '\\') this.#escape(word)
    else if (char === '$' && next === "'") this.#ansiQuote(word)
    else if (char === '$' || char === '`') this.#expansion(word)
    else if ((char === '<' || char === '>') && next === '(') {
      word.open = true
      this.#at = skipNested(this.#text, this.#at + 2, ')')
    } else return this.#run(word)
    return true
  }

  /** A loop, because most of a command line is read here, and a pattern takes twice as long. */
  #run(word: Word): boolean {
    const start = this.#at
    let end = start
    let kinds = 0
    for (; end < this.#text.length; end++) {
      const kind = RUN_KINDS[this.#text.charCodeAt(end)] ?? 0
      if (kind === RUN_END) break
      kinds |= kind
    }
    if (end === start) return false
    const run = this.#text.slice(start, end)
    word.text += run
    word.open ||= kinds !== 0 && isGlob(run)
    this.#at = end
    return true
  }

  #singleQuote(word: Word): void {
    const end = skipTo(this.#text, this.#at + 1, "'")
    word.text += this.#text.slice(this.#at + 1, this.#text[end - 1] === "'" ? end - 1 : end)
    this.#at = end
  }

  /** `$'…'`, whose escapes we do not decode. */
  #ansiQuote(word: Word): void {
    word.open = true
    word.text += '$'
    this.#at += 2
    while (this.#at < this.#text.length && this.#text[this.#at] !== "'") {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    }
    this.#at++
  }

  #doubleQuote(word: Word): void {
    this.#at++
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at]
      if (char === '\\') this.#escape(word, true)
      else if (char === '$' || char === '`') this.#expansion(word)
      else {
        QUOTED.lastIndex = this.#at
        word.text += QUOTED.exec(this.#text)?.[0] ?? ''
        this.#at = QUOTED.lastIndex
      }
    }
    this.#at++
  }

  #escape(word: Word, inQuotes = false): void {
    const next = this.#text[this.#at + 1] ?? ''
    if (next !== '\n') word.text += inQuotes && !'$`"\\'.includes(next) ? `\\${next}` : next
    this.#at += 2
  }

  #expansion(word: Word): void {
    word.open = true
    word.text += '$'
    const next = this.#text[this.#at + 1]
    if (this.#text[this.#at] === '`') this.#at = skipTo(this.#text, this.#at + 1, '`')
    else if (next === '(') this.#at = skipNested(this.#text, this.#at + 2, ')')
    else if (next === '{') this.#at = skipNested(this.#text, this.#at + 2, '}')
    else this.#at++
  }
}

/** `C:\src\a.ts`, `.\a.ts`, `src\a.ts`, `\\server\share\a.ts`. A backslash that begins a word only avoids an alias: `\rm`. */
const OF_WINDOWS = /^(?:[A-Za-z]:|\\\\[\w.$-]+|[\w.@-]+)(?:\\[\w.@-]+)+\\?$/
const OPERATOR_START = '&|;<>()'
const OPERATOR = /&>>|&>|&&|\|\||\|&|;;|<<<|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\()|[;&|()]/y
const REDIRECT = /[<>]/
const QUOTED = /[^"\\$`]+/y

/** The characters that end a run, and those of globs. */
const RUN_END = 1
const RUN_KINDS: Readonly<Uint8Array> = kindTable([
  [' \t\r\n\'"\\$`;&|()<>', RUN_END],
  ['*?[{', 2],
])

function kindTable(rows: readonly (readonly [string, number])[]): Uint8Array {
  const kinds = new Uint8Array(128)
  for (const [characters, kind] of rows) for (const character of characters) kinds[character.charCodeAt(0)] = kind
  return kinds
}

/** True for text that a shell expands outside quotes: `*`, `?`, `[…]`, `{a,b}`, `{1..9}`. */
function isGlob(run: string): boolean {
  if (/[*?]/.test(run)) return true
  return (run.includes('[') && run.includes(']')) || (run.includes('{') && /,|\.\./.test(run))
}
