import type { Draft, LineReader } from './codec.ts'
import { countsOf } from './counts.ts'
import type { DecodeOptions } from './decode.ts'
import type { Decoded, DecodeResult } from './decoded.ts'
import { detect, documentFormat, HEAD_CHARACTERS } from './detect.ts'
import { type Failed, failed, notText } from './failed.ts'
import { AGENTS, type Format } from './format.ts'
import { fields, parsed } from './json.ts'
import { type Line, LineSplitter, LONGEST_LINE } from './lines.ts'
import { DOCUMENT_READERS, isLines, LINE_READERS } from './readers.ts'

/** Holds the beginning until it tells the format, then reads by line or collects the document. */
export class Decoder {
  readonly #options: DecodeOptions
  readonly #splitter: LineSplitter
  #head: string | undefined = ''
  #format: Format | undefined
  #reader: LineReader | undefined
  #document: string[] = []
  #length = 0
  #lines = 0
  #failure: Failed | undefined
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
    const text = this.#document.join('').replace(/^\uFEFF/, '')
    const value = parsed(text) ?? this.#messageLines(text)
    const format = this.#options.format ?? (value === undefined ? this.#format : documentFormat(value))
    const reader = format === undefined ? undefined : DOCUMENT_READERS[format]
    if (value === undefined && this.#format !== undefined)
      return failed('broken', `the ${AGENTS[this.#format]} document is cut off or damaged: it is no complete JSON`)
    if (format === undefined || reader === undefined)
      return failed('unknown-format', 'the content is no session of an agent that Pith knows')
    this.#lines = 1
    return this.#finish(format, () => reader(value))
  }

  /** A message list may be stored as one message a line, too. */
  #messageLines(text: string): unknown {
    if (!/^\s*\{[^\n]*"role"[^\n]*\}\s*(?:\n|$)/.test(text)) return undefined
    return text.split('\n').flatMap((line, i) => {
      if (line.trim() === '') return []
      const message = fields(parsed(line))
      if (message === undefined) this.#skip(i + 1, 'the line is no JSON object')
      return message ?? []
    })
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
    counts: countsOf(log, lines),
  }
}
