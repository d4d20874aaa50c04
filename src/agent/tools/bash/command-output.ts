import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { bytes, counted } from '../../../engine/report/numbers.ts'
import { plainText } from '../../plain-text.ts'
import { AppliedOutput } from './applied-output.ts'
import { FoldedLines } from './folded-lines.ts'
import { OutputBuffer } from './output-buffer.ts'

/** The output of a command. */
export type CommandOutput = {
  /** As a terminal shows it: repeated lines are folded, long ones are cut, and binary output is only named. */
  readonly text: string
  /** As it came, with its control characters. Absent if the text has all of it, and for binary output. */
  readonly raw?: string
}

/** Nobody reads more of a flood of output, and each byte would stay in the log. */
const MOST_BYTES = 1_000_000

/** Reads the output of a command as it arrives, in memory of a fixed size. */
export class OutputReader {
  readonly #raw = new OutputBuffer(MOST_BYTES)
  readonly #text = new OutputBuffer(MOST_BYTES)
  readonly #hash = createHash('sha256')
  readonly #decoder = new TextDecoder('utf-8')
  readonly #folded = new FoldedLines((line) => this.#addLine(line))
  readonly #screen = new AppliedOutput((line) => this.#folded.add(line))
  readonly #bytes = new ByteWatch()
  #lines: string[] = []
  #linesLength = 0
  #isFirst = true
  /** The end of a binary output, which may be the text of another command. */
  #binaryEnd: Buffer | undefined

  /** Adds output, and returns its text for somebody who watches. */
  add(chunk: Buffer): string {
    this.#hash.update(chunk)
    if (this.#binaryEnd === undefined) {
      const text = this.#decoder.decode(chunk, { stream: true })
      if (!this.#bytes.isBinaryWith(chunk, text)) {
        this.#raw.add(chunk)
        this.#screen.add(text)
        return plainText(text)
      }
    } else this.#bytes.add(chunk)
    this.#binaryEnd = Buffer.concat([this.#binaryEnd ?? NOTHING, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES)
    return ''
  }

  /** The text of what has come so far, while more may come. */
  soFar(): string {
    const read = new OutputReader()
    read.add(this.#raw.bytes())
    const { text } = read.end()
    return this.#binaryEnd === undefined ? text : this.#withBinary(text, this.#binaryEnd)
  }

  end(): CommandOutput {
    this.#screen.end()
    this.#folded.end()
    this.#flush()
    const text = this.#text.bytes().toString()
    if (this.#binaryEnd !== undefined) return { text: this.#withBinary(text, this.#binaryEnd) }
    const raw = new TextDecoder('utf-8').decode(this.#raw.bytes())
    // Without colours, for example, nothing is lost.
    return plainText(raw).replaceAll('\r\n', '\n') === text ? { text } : { text, raw }
  }

  /** The text before binary output, the size and the hash of all, and the text after it. */
  #withBinary(text: string, end: Buffer): string {
    const { total, hadText } = this.#bytes
    const hash = this.#hash.copy().digest('hex')
    const name = `[binary output, not shown: ${bytes(total)} (${counted(total, 'byte')}) in all, sha256 ${hash}]`
    return [...(hadText ? [text.replace(/\n$/, '')] : []), name, ...textAfter(end)].join('\n')
  }

  #addLine(line: string): void {
    this.#lines.push(line)
    this.#linesLength += line.length + 1
    if (this.#linesLength > AT_ONCE) this.#flush()
  }

  #flush(): void {
    if (this.#lines.length === 0) return
    this.#text.add(Buffer.from(`${this.#isFirst ? '' : '\n'}${this.#lines.join('\n')}`))
    this.#isFirst = false
    this.#lines = []
    this.#linesLength = 0
  }
}

const NOTHING = Buffer.alloc(0)
const AT_ONCE = 65_536
const END_BYTES = 4_096

/** Counts bytes, and finds out whether they are text. */
class ByteWatch {
  total = 0
  /** True if there was text before the binary output. */
  hadText = false
  #characters = 0
  #odd = 0

  add({ length }: Buffer): void {
    this.total += length
  }

  /** True if many characters are not text. Some are, for example in a log with a name in an old encoding. */
  isBinaryWith(chunk: Buffer, text: string): boolean {
    const hadText = this.#characters > 0
    this.add(chunk)
    this.#characters += text.length
    if (!isUtf8(chunk) || chunk.includes(0)) this.#odd += text.match(ODD)?.length ?? 0
    if (this.#odd >= FEWEST_ODD && this.#odd > this.#characters * MOST_ODD) {
      this.hadText = hadText
      return true
    }
    // Text from long ago says little about what comes now.
    if (this.#characters > AT_ONCE) [this.#characters, this.#odd] = [this.#characters / 2, this.#odd / 2]
    return false
  }
}

/** Characters that text does not have. */
const ODD = /[\ufffd\0-\u0006\u000e-\u001a\u001c-\u001f]/g
const FEWEST_ODD = 8
const MOST_ODD = 0.1

/** The lines of text at the end of binary output. */
function textAfter(end: Buffer): string[] {
  const text = end.toString()
  const [last = ''] = text.split(ODD).slice(-1)
  const line = last.indexOf('\n')
  const after = line === -1 ? '' : plainText(last.slice(line + 1)).trimEnd()
  return after === '' ? [] : [after]
}
