import { z } from 'zod'
import { answerRoom } from '../../shown-part.ts'
import { defineTool, refused, type Tool, type ToolContext, type ToolOutput } from '../../tool.ts'
import { fileRequest, missing } from '../files/target.ts'
import { runRipgrep, type SearchEnd, type SearchPlace, searchNotes, searchPlace } from '../search/search.ts'

export type GrepLinesOptions = {
  readonly limit: number
  readonly characters: number
  readonly shown: (path: string) => string
  readonly mayRead: (path: string) => boolean
}

/** Groups ripgrep's lines (`path NUL number:text`, or `number-text` around a match) by file. */
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

  /** False if there are enough lines. */
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

  /** Adds a separator between groups of lines, or a line about a binary file. */
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

const GREP_DESCRIPTION = `Searches the contents of files with a regular expression (ripgrep's syntax) and shows the matching lines with their numbers, file by file.

- \`path\`: a folder or a file, the whole workspace if left out. \`glob\`: only files like \`*.ts\` or \`src/**/*.test.ts\`, seen from \`path\`.
- \`literal\`: take the pattern as plain text. \`ignoreCase\`: upper and lower case are the same. \`contextLines\`: lines to show around each match.
- What \`.gitignore\` names is left out unless \`ignored\` is set. At most \`limit\` matches (200 by default, 1,000 at most).`

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression'),
  path: z.string().min(1).optional().describe('A folder or a file; the workspace by default'),
  glob: z.string().min(1).optional().describe('Only files that match, such as *.ts'),
  literal: z.boolean().optional().describe('The pattern is plain text'),
  ignoreCase: z.boolean().optional(),
  contextLines: z.number().int().min(0).max(20).optional(),
  ignored: z.boolean().optional().describe('Search what .gitignore names too'),
  limit: z.number().int().positive().max(1_000).optional().describe('The most matches to show; 200 by default'),
})
type Input = z.infer<typeof inputSchema>

const LIMIT = 200
const WIDTH_CHARACTERS = 400

/** Searches the contents of files. */
export const grep: Tool = defineTool<Input>({
  name: 'grep',
  description: GREP_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: ({ path }, context) => fileRequest('read', path ?? '.', context),
  run: async (input, context) => {
    const place = await searchPlace(input.path, context)
    if (!place.exists) return missing(place.place, context)
    const lines = new GrepLines({
      limit: input.limit ?? LIMIT,
      characters: answerRoom(context),
      shown: place.shown,
      mayRead: context.mayRead ?? (() => true),
    })
    const searched = await search(input, place, context, lines)
    return outputOf(input, place, lines, searched)
  },
})

function search(input: Input, place: SearchPlace, { signal }: ToolContext, lines: GrepLines): Promise<SearchEnd> {
  const args = [
    ...['--no-heading', '--with-filename', '--line-number', '--null'],
    ...[`--max-columns=${WIDTH_CHARACTERS}`, '--max-columns-preview'],
    ...(input.literal === true ? ['--fixed-strings'] : []),
    ...(input.ignoreCase === true ? ['--ignore-case'] : []),
    ...(input.ignored === true ? ['--no-ignore'] : []),
    ...(input.contextLines === undefined ? [] : [`--context=${input.contextLines}`]),
    ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
    `--regexp=${input.pattern}`,
  ]
  return runRipgrep({
    args: [...args, '--', place.start],
    folder: place.folder,
    signal,
    onLine: (line) => lines.add(line),
  })
}

function outputOf(input: Input, { place }: SearchPlace, lines: GrepLines, searched: SearchEnd): ToolOutput {
  const bad = badPattern(input, searched.errors)
  if (bad !== undefined) return refused(bad)
  const notes = searchNotes(searched, `Only the first ${lines.matches} matches: narrow the pattern, path or glob.`)
  if (lines.leftOut > 0) notes.push(`${lines.leftOut} matches are in files that a rule keeps from being read.`)
  if (lines.matches > 0) return { text: [lines.text(), ...notes.map((note) => `(${note})`)].join('\n') }
  const hidden = input.ignored === true ? '' : ' (what .gitignore names was not searched)'
  const none = `No matches for \`${input.pattern}\` in ${place.shown}${hidden}.`
  return { text: [none, ...notes.map((note) => `(${note})`)].join('\n') }
}

/** One line for ripgrep's error about a pattern, which has several lines. */
function badPattern({ pattern, glob }: Input, errors: readonly string[]): string | undefined {
  const [first = ''] = errors
  if (/error parsing glob/.test(first)) return `The glob \`${glob}\` is not valid: ${first.replace(/^.*?': /, '')}`
  if (!/regex parse error|the literal|regex could not be compiled|not allowed in a regex/.test(first)) return undefined
  const why = errors.findLast((line) => line.startsWith('error: '))?.slice('error: '.length) ?? first
  return `The pattern \`${pattern}\` is not a valid regular expression (${why}): escape it, or set literal`
}
