import { StringDecoder } from 'node:string_decoder'
import { bytes } from '../../../engine/report/numbers.ts'

/** Keeps an output up to a size. Of a longer one, it keeps the head and the tail, with a line that says how much is missing. */
export class OutputBuffer {
  readonly #half: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #dropped = 0

  constructor(mostBytes: number) {
    this.#half = Math.floor(mostBytes / 2)
  }

  add(chunk: Buffer): void {
    const toHead = chunk.subarray(0, this.#half - this.#headBytes)
    const toTail = chunk.subarray(toHead.length)
    if (toHead.length > 0) this.#head.push(toHead)
    this.#headBytes += toHead.length
    if (toTail.length > 0) this.#addToTail(toTail)
  }

  bytes(): Buffer {
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const over = Math.max(0, tail.length - this.#half)
    const dropped = this.#dropped + over
    if (dropped === 0) return Buffer.concat([head, tail])
    const note = `\n[… ${bytes(dropped)} of output left out here …]\n`
    return Buffer.concat([Buffer.from(`${wholeEnd(head)}${note}`), wholeStart(tail.subarray(over))])
  }

  #addToTail(chunk: Buffer): void {
    this.#tail.push(chunk)
    this.#tailBytes += chunk.length
    // Trim only now and then, so that many small chunks stay cheap.
    if (this.#tailBytes <= this.#half * 2) return
    const all = Buffer.concat(this.#tail)
    const over = all.length - this.#half
    this.#tail = [all.subarray(over)]
    this.#tailBytes = this.#half
    this.#dropped += over
  }
}

/** The text without an incomplete character at its end. */
function wholeEnd(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes)
}

/** The bytes without an incomplete character at their start. */
function wholeStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 4 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
