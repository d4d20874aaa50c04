import { type Message, partsOf } from '../../model/types.ts'
import { toBase64 } from '../../model/values.ts'
import { keysOf } from '../open-contexts.ts'

/**
 * A key for every prefix of a list of messages: the first message, the first two, and so on. A message that was hashed after
 * the same prefix before is not hashed again, so one more message costs only its own size.
 */
export function prefixKeys(messages: readonly Message[]): string[] {
  let before = ''
  return messages.map((message) => {
    const known = keysOf(message)
    if (known.prefix?.before !== before) known.prefix = { before, key: quickKey(`${before}\n${contentText(message)}`) }
    before = known.prefix.key
    return before
  })
}

/**
 * The content of a message, in a form that survives databases and SDKs: the order of keys, cache marks, reasoning, and
 * whether a text is a string or a part make no difference.
 */
export function contentText(message: Message, quote: Quote = quoted): string {
  const parts = partsOf(message).map((part) => partText(part, quote))
  return `${message.role} ${parts.join('')}`
}

/** Writes a text so that it cannot be mistaken for more than one. */
export type Quote = (text: string) => string

const quoted: Quote = (text) => JSON.stringify(text)

function partText(part: ReturnType<typeof partsOf>[number], quote: Quote): string {
  const canonicalJson = (value: unknown) => canonical(value, quote)
  switch (part.type) {
    case 'text':
      return part.text === '' ? '' : canonicalJson(['text', part.text])
    case 'reasoning':
    case 'reasoning-file':
      return ''
    case 'tool-call':
      return canonicalJson(['call', part.toolCallId, part.toolName, part.input])
    case 'tool-result':
      return canonicalJson(['result', part.toolCallId, part.output])
    default:
      return canonicalJson(part)
  }
}

const MOST_DEPTH = 50

/** JSON with the keys of every object in order, bytes as base64, and without provider options. */
export function canonicalJson(value: unknown): string {
  return canonical(value, quoted)
}

function canonical(value: unknown, quote: Quote, depth = 0): string {
  // An input may contain itself.
  if (depth > MOST_DEPTH) return '"…"'
  if (typeof value === 'string') return quote(value)
  const inner = (field: unknown) => canonical(field, quote, depth + 1)
  if (Array.isArray(value)) return `[${value.map((item) => inner(item ?? null)).join(',')}]`
  if (value instanceof Uint8Array) return JSON.stringify(toBase64(value))
  if (value instanceof ArrayBuffer) return JSON.stringify(toBase64(new Uint8Array(value)))
  if (value instanceof URL) return JSON.stringify(value.href)
  if (typeof value === 'bigint') return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([key, field]) => field !== undefined && key !== 'providerOptions' && key !== 'providerMetadata')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${inner(field)}`).join(',')}}`
}

/**
 * A key of 128 bits, fast and the same in every runtime. It distinguishes texts that differ by accident. Where somebody
 * could gain from two texts with one key, a cryptographic hash is used.
 */
export function quickKey(text: string): string {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  let c = 0xc2b2ae35
  let d = 0x27d4eb2f
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
    c = Math.imul(c ^ code, 2246822519)
    d = Math.imul(d ^ code, 3266489917)
  }
  const all = a ^ (b >>> 13) ^ (c >>> 7) ^ (d >>> 17) ^ text.length
  return [a ^ (b >>> 15), b ^ (c >>> 15), c ^ (d >>> 15), d ^ (a >>> 15)].map((part) => mixed(part, all)).join('')
}

/** The last step of murmur hash 3. Without it a change at the end of a text would change only a few bits. */
function mixed(part: number, all: number): string {
  let mix = part ^ all
  mix = Math.imul(mix ^ (mix >>> 16), 2246822507)
  mix = Math.imul(mix ^ (mix >>> 13), 3266489909)
  return ((mix ^ (mix >>> 16)) >>> 0).toString(36).padStart(7, '0')
}
