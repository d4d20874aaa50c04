import type { Draft, LineReader } from './codec.ts'
import type { Decoded, DecodeResult } from './decoded.ts'
import { detect, documentFormat, HEAD_CHARACTERS } from './detect.ts'
import { AGENTS, type Format } from './format.ts'
import { fields, parsed } from './json.ts'
import { type Line, LineSplitter, LONGEST_LINE, type Pieces } from './lines.ts'
import { DOCUMENT_READERS, LINE_READERS } from './readers.ts'

export type DecodeOptions = {
  /** The format, where the caller knows it better than the content tells. */
  readonly format?: Format
  /** Characters of the longest line, or of a whole document, that are held in memory. */
  readonly longest?: number
}

/** Reads a session of any agent. The text may come in pieces; lines are parsed as they arrive. It never throws over what it reads. */
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

/** Holds the beginning until it tells the format, then reads by line or collects the document. */
class Decoder {
  readonly #options: DecodeOptions
  readonly #splitter: LineSplitter
  #head: string | undefined = ''
  #format: Format | undefined
  #reader: LineReader | undefined
  #document: string[] = []
  #length = 0
  #lines = 0
  #failure: Extract<DecodeResult, { ok: false }> | undefined
  readonly #bad: { line: number; reason: string }[] = []

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#splitter = new LineSplitter(options.longest)
  }

  /** True when nothing that comes can change the answer. */
  get isDone(): boolean {
    return this.#failure !== undefined
  }

  push(piece: string): void {
    if (this.#head === undefined) return this.#read(piece)
    this.#head += piece
    if (this.#head.length >= HEAD_CHARACTERS) this.#begin()
  }

  end(): DecodeResult {
    if (this.#head !== undefined) this.#begin()
    if (this.#failure !== undefined) return this.#failure
    if (this.#reader === undefined) return this.#readDocument()
    for (const line of this.#splitter.end()) this.#line(line)
    return this.#finish(this.#format as Format, () => (this.#reader as LineReader).finish())
  }

  #begin(): void {
    const head = this.#head ?? ''
    this.#head = undefined
    this.#failure = notText(head)
    if (this.#failure !== undefined) return
    this.#format = this.#options.format ?? detect(head.slice(0, HEAD_CHARACTERS))
    if (this.#format !== undefined && isLines(this.#format, head)) this.#reader = LINE_READERS[this.#format]?.()
    this.#read(head)
  }

  #read(piece: string): void {
    if (this.#failure !== undefined) return
    if (this.#reader !== undefined) for (const line of this.#splitter.push(piece)) this.#line(line)
    else this.#collect(piece)
  }

  #line({ number, text }: Line): void {
    this.#lines++
    const longest = Math.round((this.#options.longest ?? LONGEST_LINE) / 1024 / 1024)
    if (text === undefined) return this.#skip(number, `the line is longer than ${longest} MB and was left out`)
    const value = fields(this.#reader?.parse?.(text) ?? parsed(text))
    if (value === undefined) return this.#skip(number, 'the line is no JSON object')
    try {
      this.#reader?.read(value, number)
    } catch (error) {
      this.#skip(number, `the line could not be read: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }

  #skip(line: number, reason: string): void {
    this.#bad.push({ line, reason })
  }

  #collect(piece: string): void {
    this.#length += piece.length
    const longest = (this.#options.longest ?? LONGEST_LINE) * 4
    if (this.#length <= longest) this.#document.push(piece)
    else this.#failure = failed('too-large', `the document is larger than ${Math.round(longest / 1024 / 1024)} MB`)
  }

  #readDocument(): DecodeResult {
    const value = parsed(this.#document.join('').replace(/^\uFEFF/, ''))
    const format = this.#options.format ?? (value === undefined ? this.#format : documentFormat(value))
    const reader = format === undefined ? undefined : DOCUMENT_READERS[format]
    if (value === undefined && this.#format !== undefined)
      return failed('broken', `the ${AGENTS[this.#format]} document is cut off or damaged: it is no complete JSON`)
    if (format === undefined || reader === undefined)
      return failed('unknown-format', 'the content is no session of an agent that Pith knows')
    this.#lines = 1
    return this.#finish(format, () => reader(value))
  }

  #finish(format: Format, make: () => Draft): DecodeResult {
    try {
      const draft = make()
      for (const { line, reason } of this.#bad) draft.log.issue(line, reason)
      if (draft.log.entries.length === 0)
        return failed('no-messages', `the ${AGENTS[format]} session has no messages that can be read`)
      return { ok: true, session: decoded(format, draft, this.#lines) }
    } catch (error) {
      return failed('broken', `the ${AGENTS[format]} session could not be read: ${String(error).split('\n', 1)[0]}`)
    }
  }
}

function decoded(format: Format, { log, facts, sidechains }: Draft, lines: number): Decoded {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  const { models, system, entries, compactions } = log
  const issues = log.issues.toSorted((a, b) => a.line - b.line)
  return {
    format,
    agent: AGENTS[format],
    ...known,
    models,
    system,
    entries,
    compactions,
    sidechains,
    issues,
    counts: log.counts(lines),
  }
}

function notText(head: string): Extract<DecodeResult, { ok: false }> | undefined {
  if (head.replace(/^\uFEFF/, '').trim() === '') return failed('empty', 'the file is empty')
  // What is no text decodes to NULs or replacement characters.
  const strange = head.slice(0, 4096).match(/[\0\uFFFD]/g)?.length ?? 0
  return strange > 8 ? failed('binary', 'the file is not text') : undefined
}

/** Some agents have a form of lines and one that is a document: there the first line tells. */
function isLines(format: Format, head: string): boolean {
  if (DOCUMENT_READERS[format] === undefined) return true
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1)
  if (format === 'openhands') return /^\{\s*"\w+"/.test(first)
  return fields(parsed(first)) !== undefined && !Array.isArray(fields(parsed(first))?.messages)
}

function failed(
  reason: Extract<DecodeResult, { ok: false }>['reason'],
  text: string,
): Extract<DecodeResult, { ok: false }> {
  return { ok: false, reason, text }
}
