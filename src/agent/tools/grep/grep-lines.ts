export type GrepLinesOptions = {
  readonly limit: number
  readonly characters: number
  readonly shown: (path: string) => string
  readonly mayRead: (path: string) => boolean
}

/** Puts ripgrep's lines (`path NUL number:text`, or `number-text` around a match) together, file by file. */
export class GrepLines {
  readonly #options: GrepLinesOptions
  readonly #lines: string[] = []
  #path: string | undefined
  #isReadable = true
  #characters = 0
  matches = 0
  leftOut = 0

  constructor(options: GrepLinesOptions) {
    this.#options = options
  }

  /** False when there are enough. */
  add(line: string): boolean {
    const nul = line.indexOf('\0')
    if (nul === -1) return this.#addOther(line)
    this.#enter(line.slice(0, nul))
    const [, number = '', sign = '', text = ''] = /^(\d+)([:-])(.*)$/s.exec(line.slice(nul + 1)) ?? []
    if (!this.#isReadable) {
      if (sign === ':') this.leftOut++
      return true
    }
    const shown = `${number}${sign} ${text.trimEnd()}`
    const isMatch = sign === ':'
    if (this.#characters + shown.length > this.#options.characters) return false
    if (isMatch && this.matches === this.#options.limit) return false
    if (isMatch) this.matches++
    this.#push(shown)
    return true
  }

  text(): string {
    return this.#lines.join('\n').replace(/\n--$/, '')
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
  }

  #enter(path: string): void {
    if (path === this.#path) return
    if (this.#lines.at(-1) === '--') this.#lines.pop()
    this.#path = path
    const shown = this.#options.shown(path)
    this.#isReadable = this.#options.mayRead(shown)
    if (this.#isReadable) this.#push(this.#lines.length === 0 ? shown : `\n${shown}`)
  }

  /** Between groups of lines, or about a binary file. */
  #addOther(line: string): boolean {
    const binary = /^(.*): binary file matches/.exec(line)?.[1]
    if (binary === undefined) {
      if (line === '--' && this.#isReadable && this.#lines.length > 0) this.#lines.push('--')
      return true
    }
    this.#enter(binary)
    if (this.#isReadable) this.#lines.push('binary file matches')
    this.matches++
    return this.matches < this.#options.limit
  }
}
