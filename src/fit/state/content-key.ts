import { atOnce, type Steps } from '../../model/steps.ts'
import { type Message, type Part, partsOf } from '../../model/types.ts'
import { toBase64 } from '../../model/values.ts'
import { keysOf } from '../open-contexts.ts'

/**
 * A key for every prefix of a list of messages: the first message, the first two, and so on. A message that was hashed after
 * the same prefix before is not hashed again, so one more message costs only its own size.
 */
export function prefixKeys(messages: readonly Message[], known?: readonly string[]): string[] {
  return atOnce(prefixKeySteps(messages, known))
}

/** The same in steps. `known`: the keys of the shortest prefixes. */
export function* prefixKeySteps(messages: readonly Message[], known: readonly string[] = []): Steps<string[]> {
  const keys = [...known]
  let before = keys.at(-1) ?? ''
  for (const message of messages.slice(keys.length)) {
    const own = keysOf(message)
    if (own.prefix?.before !== before) {
      own.prefix = { before, key: keyAfter(before, message) }
      yield
    }
    before = own.prefix.key
    keys.push(before)
  }
  return keys
}

/** The key of the text of a message after a prefix. The text itself is not made: it would be a copy of the conversation. */
function keyAfter(before: string, message: Message): string {
  const key = new RunningKey()
  key.add(before)
  key.add('\n')
  writeContent(message, key)
  return key.value()
}

/**
 * The content of a message, in a form that survives databases and SDKs: the order of keys, cache marks, reasoning, and
 * whether a text is a string or a part make no difference.
 */
export function contentText(message: Message, quote: Quote = JSON.stringify): string {
  return written(quote, (out) => writeContent(message, out))
}

/** JSON with the keys of every object in order, bytes as base64, and without provider options. */
export function canonicalJson(value: unknown): string {
  return written(JSON.stringify, (out) => writeJson(value, out))
}

/** Writes a text so that it cannot be mistaken for more than one. */
export type Quote = (text: string) => string

/** Takes a text piece by piece. */
type Writer = { readonly add: (text: string) => void; readonly quote: (text: string) => void }

function written(quote: Quote, write: (out: Writer) => void): string {
  let text = ''
  const add = (piece: string) => {
    text += piece
  }
  write({ add, quote: (piece) => add(quote(piece)) })
  return text
}

function writeContent(message: Message, out: Writer): void {
  out.add(`${message.role} `)
  for (const part of partsOf(message)) writePart(part, out)
}

function writePart(part: Part, out: Writer): void {
  switch (part.type) {
    case 'text':
      if (part.text !== '') writeJson(['text', part.text], out)
      return
    case 'reasoning':
    case 'reasoning-file':
      return
    case 'tool-call':
      return writeJson(['call', part.toolCallId, part.toolName, part.input], out)
    case 'tool-result':
      return writeJson(['result', part.toolCallId, part.output], out)
    default:
      return writeJson(part, out)
  }
}

const MOST_DEPTH = 50

function writeJson(value: unknown, out: Writer, depth = 0): void {
  // An input may contain itself.
  if (depth > MOST_DEPTH) out.add('"…"')
  else if (typeof value === 'string') out.quote(value)
  else if (Array.isArray(value)) writeList(value, out, depth + 1)
  else if (typeof value === 'object' && value !== null) writeObject(value, out, depth + 1)
  else out.add(typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? 'null'))
}

function writeList(values: readonly unknown[], out: Writer, depth: number): void {
  out.add('[')
  for (let i = 0; i < values.length; i++) {
    if (i > 0) out.add(',')
    writeJson(values[i] ?? null, out, depth)
  }
  out.add(']')
}

function writeObject(value: object, out: Writer, depth: number): void {
  if (value instanceof Uint8Array) return out.add(JSON.stringify(toBase64(value)))
  if (value instanceof ArrayBuffer) return out.add(JSON.stringify(toBase64(new Uint8Array(value))))
  if (value instanceof URL) return out.add(JSON.stringify(value.href))
  const fields = value as Readonly<Record<string, unknown>>
  let mark = '{'
  for (const key of Object.keys(value).sort()) {
    const field = fields[key]
    if (field === undefined || key === 'providerOptions' || key === 'providerMetadata') continue
    out.add(mark)
    out.add(JSON.stringify(key))
    out.add(':')
    writeJson(field, out, depth)
    mark = ','
  }
  out.add(mark === '{' ? '{}' : '}')
}

/**
 * A key of 128 bits, fast and the same in every runtime. It distinguishes texts that differ by accident. Where somebody
 * could gain from two texts with one key, a cryptographic hash is used.
 */
export function quickKey(text: string): string {
  const key = new RunningKey()
  key.add(text)
  return key.value()
}

const A = 2654435761
const B = 1597334677
const C = 2246822519
const D = 3266489917

/** For shorter texts the copy takes longer than it saves. */
const SHORT = 64
const PIECE = 16_384
const encoder = new TextEncoder()
const bytes = new Uint8Array(PIECE)

/** The key of a text that comes in pieces. */
class RunningKey implements Writer {
  #a = 0x9e3779b9 | 0
  #b = 0x85ebca6b | 0
  #c = 0xc2b2ae35 | 0
  #d = 0x27d4eb2f | 0
  #length = 0

  add(text: string): void {
    this.#length += text.length
    if (text.length < SHORT) this.#addCharacters(text)
    else for (let at = 0; at < text.length; at += PIECE) this.#addPiece(text.slice(at, at + PIECE))
  }

  /** ASCII has a byte for each character, and bytes are read twice as fast. */
  #addPiece(text: string): void {
    const { read, written } = encoder.encodeInto(text, bytes)
    if (read === text.length && written === text.length) this.#addBytes(written)
    else this.#addCharacters(text)
  }

  #addBytes(length: number): void {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d]
    for (let i = 0; i < length; i++) {
      const code = bytes[i] as number
      a = Math.imul(a ^ code, A)
      b = Math.imul(b ^ code, B)
      c = Math.imul(c ^ code, C)
      d = Math.imul(d ^ code, D)
    }
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
  }

  #addCharacters(text: string): void {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, A)
      b = Math.imul(b ^ code, B)
      c = Math.imul(c ^ code, C)
      d = Math.imul(d ^ code, D)
    }
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
  }

  /** Adds the text as JSON. */
  quote(text: string): void {
    this.add(JSON.stringify(text))
  }

  value(): string {
    const [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d]
    const all = a ^ (b >>> 13) ^ (c >>> 7) ^ (d >>> 17) ^ this.#length
    return [a ^ (b >>> 15), b ^ (c >>> 15), c ^ (d >>> 15), d ^ (a >>> 15)].map((part) => mixed(part, all)).join('')
  }
}

/** The last step of murmur hash 3. Without it a change at the end of a text would change only a few bits. */
function mixed(part: number, all: number): string {
  let mix = part ^ all
  mix = Math.imul(mix ^ (mix >>> 16), 2246822507)
  mix = Math.imul(mix ^ (mix >>> 13), 3266489909)
  return ((mix ^ (mix >>> 16)) >>> 0).toString(36).padStart(7, '0')
}
