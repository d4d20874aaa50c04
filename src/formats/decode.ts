import type { DecodedSession, DecodeFailure, DecodeResult } from './decoded-session.ts'
import { FORMATS_TO_READ, type FormatName, type ReadableFormat } from './formats.ts'
import { checkPrompts, type LineReader, type PromptCounter, type TypedPrompt } from './shared/format.ts'
import { type Fields, fields, objects, parsed, parsedCut, withoutByteOrderMark } from './shared/json.ts'
import { LineSplitter, LONGEST_LINE, type Pieces, type TextLine } from './shared/lines.ts'
import type { Issue, SessionBuilder } from './shared/log-builder.ts'

/** How a session is read. */
export type DecodeOptions = {
  /** The format, if the caller knows it. Otherwise it is detected from the content. */
  readonly format?: FormatName
  /** Characters of the longest line, or a quarter of those of the longest document, that are held in memory. */
  readonly longest?: number
}

/** Reads a session of any agent. The text may come in pieces; lines are parsed as they arrive. Its content never makes it throw. */
export async function decode(pieces: Pieces, options: DecodeOptions = {}): Promise<DecodeResult> {
  const decoder = new Decoder(options)
  for await (const piece of pieces) {
    decoder.push(piece)
    if (decoder.isDone) break
  }
  return decoder.end()
}

/** Reads a session from a text. */
export function decodeText(text: string, options: DecodeOptions = {}): DecodeResult {
  const decoder = new Decoder(options)
  decoder.push(text)
  return decoder.end()
}

/** Holds the beginning until the format is known, then reads by line or collects the document. */
class Decoder {
  readonly #longest: number
  readonly #splitter: LineSplitter
  readonly #given: ReadableFormat | undefined
  #format: ReadableFormat | undefined
  #head: string | undefined = ''
  #reader: LineReader | undefined
  #counter: PromptCounter | undefined
  #document: string[] = []
  #length = 0
  #lines = 0
  #failure: DecodeFailure | undefined
  #cut: Issue | undefined
  readonly #badLines: Issue[] = []

  constructor({ format, longest = LONGEST_LINE }: DecodeOptions) {
    this.#longest = longest
    this.#splitter = new LineSplitter(longest)
    this.#given = FORMATS_TO_READ.find(({ name }) => name === format)
  }

  /** True when no further piece can change the result. */
  get isDone(): boolean {
    return this.#failure !== undefined
  }

  push(piece: string): void {
    if (this.#head === undefined) return this.#read(piece)
    this.#head += piece
    if (this.#head.length >= HEAD_CHARACTERS) this.#begin(this.#head)
  }

  end(): DecodeResult {
    if (this.#head !== undefined) this.#begin(this.#head)
    if (this.#failure !== undefined) return this.#failure
    const reader = this.#reader
    if (reader === undefined || this.#format === undefined) return this.#readDocument()
    for (const line of this.#splitter.end()) this.#lastLine(reader, line)
    return this.#finish(this.#format, () => reader.finish())
  }

  #begin(start: string): void {
    const head = withoutByteOrderMark(start)
    this.#head = undefined
    const recognised = formatOfHead(head.slice(0, HEAD_CHARACTERS))
    this.#format = this.#given ?? recognised
    if (recognised === undefined) this.#failure = notText(head)
    if (this.#failure !== undefined) return
    if (this.#format !== undefined && isLines(this.#format, head)) {
      this.#reader = this.#format.read.lines?.()
      this.#counter = this.#format.prompts?.()
    }
    this.#read(head)
  }

  #read(piece: string): void {
    if (this.#failure !== undefined) return
    if (this.#reader === undefined) return this.#collect(piece)
    for (const line of this.#splitter.push(piece)) this.#line(this.#reader, line)
  }

  #line(reader: LineReader, { number, text }: TextLine): void {
    this.#lines++
    if (text === undefined)
      return this.#skip(number, `the line is longer than ${megabytes(this.#longest)} and was left out`)
    const value = fields(reader.parse?.(text) ?? parsed(text))
    if (value === undefined) return this.#skip(number, 'the line is not a JSON object')
    this.#counter?.line?.(value, number)
    try {
      reader.read(value, number)
    } catch (error) {
      this.#skip(number, `the line could not be read: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }

  /** Reads the last line, which has no line end: its agent may have been stopped while it wrote. */
  #lastLine(reader: LineReader, { number, text }: TextLine): void {
    if (text === undefined || fields(parsed(text)) !== undefined) return this.#line(reader, { number, text })
    // A file may be one line alone.
    const complete = this.#lines === 0 ? parsedCut(text) : undefined
    if (complete === undefined) this.#lines++
    else this.#line(reader, { number, text: JSON.stringify(complete) })
    this.#cutAt(number, complete === undefined ? CUT_LINE : CUT_DOCUMENT)
  }

  #skip(line: number, reason: string): void {
    this.#badLines.push({ line, reason })
  }

  #cutAt(line: number, reason: string): void {
    this.#cut = { line, reason }
    this.#badLines.push(this.#cut)
  }

  #collect(piece: string): void {
    this.#length += piece.length
    const longest = this.#longest * 4
    if (this.#length <= longest) this.#document.push(piece)
    else this.#failure = failure('too-large', `the document is larger than ${megabytes(longest)}`)
  }

  #readDocument(): DecodeResult {
    const text = this.#document.join('')
    const whole = parsed(text) ?? this.#messageLines(text)
    const value = whole ?? this.#cutDocument(text)
    if (value === undefined && this.#format !== undefined)
      return failure('broken', `the ${this.#format.label} document is damaged: it is not JSON`)
    // The mark of a format may be in the part that is missing.
    const format = this.#given ?? formatOfDocument(value) ?? (whole === undefined ? this.#format : undefined)
    const read = format?.read.document
    if (format === undefined || read === undefined)
      return failure('unknown-format', 'the content is not a session of an agent that Pith knows')
    this.#lines = 1
    this.#counter = format.prompts?.()
    this.#counter?.document?.(value)
    return this.#finish(format, () => read(value))
  }

  /** The complete part of a document that was cut off. */
  #cutDocument(text: string): unknown {
    const value = parsedCut(text)
    if (value !== undefined) this.#cutAt(0, CUT_DOCUMENT)
    return value
  }

  /** A message list may also be stored as one message per line. */
  #messageLines(text: string): unknown {
    if (!/^\s*\{[^\n]*"role"[^\n]*\}\s*(?:\n|$)/.test(text)) return undefined
    return text.split('\n').flatMap((line, i, { length }) => {
      if (line.trim() === '') return []
      const message = fields(parsed(line))
      if (message !== undefined) return message
      if (i === length - 1) this.#cutAt(i + 1, CUT_LINE)
      else this.#skip(i + 1, 'the line is not a JSON object')
      return []
    })
  }

  #finish(format: ReadableFormat, build: () => SessionBuilder): DecodeResult {
    try {
      const builder = build()
      for (const { line, reason } of this.#badLines) builder.log.issue(line, reason)
      if (builder.log.entries.length === 0)
        return failure('no-messages', `the ${format.label} session has no messages that can be read`)
      return {
        ok: true,
        session: {
          ...sessionOf(format, builder, { lines: this.#lines, prompts: this.#counter?.prompts() }),
          cut: this.#cut,
        },
      }
    } catch (error) {
      return failure('broken', `the ${format.label} session could not be read: ${String(error).split('\n', 1)[0]}`)
    }
  }
}

/** True for the form of lines. If a format has lines and documents, the first line decides. */
function isLines({ read }: ReadableFormat, head: string): boolean {
  if (read.isLines === undefined) return read.lines !== undefined
  const [first = ''] = head.trimStart().split('\n', 1)
  return read.isLines(first)
}

function sessionOf(
  { name, label }: ReadableFormat,
  builder: SessionBuilder,
  { lines, prompts: typed }: { readonly lines: number; readonly prompts: readonly TypedPrompt[] | undefined },
): DecodedSession {
  const { log, facts, sidechains, leftLines } = builder
  const { models, system, entries, compactions } = log
  const issues = log.issues.toSorted((a, b) => a.line - b.line)
  const counts = log.counts(lines)
  const prompts = typed && checkPrompts(typed, entries, leftLines)
  const read = { models, system, entries, compactions, sidechains, issues, counts, prompts }
  return { format: name, agent: label, ...facts, ...read }
}

const CUT_LINE = 'the file ends in the middle of this line, which was left out'
const CUT_DOCUMENT = 'the file ends in the middle; the complete part before that was read'

/** The failure for a file in whose head no format was recognised: it is empty, or not text, but may still be a long document. */
function notText(head: string): DecodeFailure | undefined {
  const start = head.trimStart()
  if (start === '') return failure('empty', 'the file is empty')
  // Bytes that are not text decode to NULs or replacement characters. In JSON they are the output of a tool.
  const isText = start.startsWith('{') || start.startsWith('[') || !/[\0\uFFFD]/.test(start)
  return isText ? undefined : failure('binary', 'the file is not text in UTF-8')
}

function failure(reason: DecodeFailure['reason'], text: string): DecodeFailure {
  return { ok: false, reason, text }
}

function megabytes(characters: number): string {
  return `${Math.round(characters / 1024 / 1024)} MB`
}

/** The characters from the start of a file that are enough to detect its format. */
export const HEAD_CHARACTERS = 64 * 1024

/** Detects the format of a file from the beginning of its content. */
export function detect(head: string): FormatName | undefined {
  return formatOfHead(withoutByteOrderMark(head))?.name
}

/** The format of a file that begins with this text. */
function formatOfHead(head: string): ReadableFormat | undefined {
  const whole = parsed(head)
  if (whole !== undefined) return formatOfLine(fields(whole) ?? {}) ?? formatOfDocument(whole)
  const lines = head
    .split('\n', 50)
    .map((line) => (line.trimStart().startsWith('{') ? fields(parsed(line)) : undefined))
    .filter((line) => line !== undefined)
  return (
    firstDefined(lines, formatOfLine) ??
    FORMATS_TO_READ.find(({ detect }) => detect.head?.test(head)) ??
    formatOfDocument(lines)
  )
}

/** The format of a whole JSON document. */
function formatOfDocument(document: unknown): ReadableFormat | undefined {
  if (Array.isArray(document)) return formatOfList(objects(document))
  const whole = fields(document)
  if (whole === undefined) return undefined
  const format = FORMATS_TO_READ.find(({ detect }) => detect.document?.(whole))
  if (format !== undefined) return format
  const messages = Array.isArray(whole.history) ? whole.history : whole.messages
  return Array.isArray(messages) ? formatOfList(objects(messages)) : undefined
}

function formatOfLine(line: Fields): ReadableFormat | undefined {
  return FORMATS_TO_READ.find(({ detect }) => detect.line?.(line))
}

/** The format of a message list: the first item that only one format has decides. */
function formatOfList(items: readonly Fields[]): ReadableFormat | undefined {
  return firstDefined(items, formatOfItem) ?? FORMATS_TO_READ.find(({ detect }) => detect.list?.(items))
}

function formatOfItem(item: Fields): ReadableFormat | undefined {
  return (
    FORMATS_TO_READ.find(({ detect }) => detect.item?.(item)) ??
    firstDefined(objects(item.content), ({ type }) =>
      FORMATS_TO_READ.find(({ detect }) => detect.parts?.includes(String(type))),
    )
  )
}

function firstDefined<T, Result>(items: readonly T[], find: (item: T) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = find(item)
    if (result !== undefined) return result
  }
  return undefined
}
