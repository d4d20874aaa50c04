import { readEntry } from '../../model/entry.ts'
import { styleSchema } from '../../model/policy/policy-schema.ts'
import { messageOf } from '../../model/problems/errors.ts'
import type { Entry, Seq } from '../../model/types.ts'
import { isRecord } from '../../model/values.ts'

/**
 * A value as JSON for a text column. If only a few characters are not ASCII, they are escaped: without them SQLite's texts
 * become JavaScript strings in half the time. If there are many, the text would grow too much.
 */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value)
  const more = Buffer.byteLength(text) - text.length
  if (more === 0 || more > text.length * MOST_OF_TEXT) return text
  return text.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Bytes beyond one for each character: English with its dashes and most languages of Latin letters have less. */
const MOST_OF_TEXT = 1 / 16

const NOT_ASCII = /[\u0080-\uffff]/g

/** The columns of an entry. The summary, the parts and the facts of a compaction, and raw output, are in a column of their own: they are large. */
export type StoredEntry = { readonly body: string; readonly facts: string | null }

export function storedEntry(entry: Entry): StoredEntry {
  if (entry.type === 'message' && entry.raw !== undefined) {
    const { raw, ...body } = entry
    return { body: asciiJson(body), facts: asciiJson({ raw }) }
  }
  if (entry.type !== 'compaction') return { body: asciiJson(entry), facts: null }
  const { summary, parts, indexDelta, ...body } = entry
  return { body: asciiJson(body), facts: asciiJson({ summary, parts, indexDelta }) }
}

/**
 * The entry of a row, or one line that says what is wrong with it. It was parsed when it was appended, so large or frequent
 * types are only checked for the shape that the rest of the program relies on. `light`: the facts were not read, and a
 * compaction comes without its summary and its facts.
 */
export function readStoredEntry({ body, facts }: StoredEntry, seq: Seq, light = false): Entry | string {
  try {
    const value: unknown = JSON.parse(body)
    // Nearly all are messages.
    const entry = isStoredMessage(value) ? withRaw(value, facts) : changeOf(withFacts(value, facts, light), seq)
    return entry.seq === seq ? entry : `entry #${seq}: says that it is #${entry.seq}`
  } catch (error) {
    return messageOf(error)
  }
}

function withRaw(message: Entry, facts: string | null): Entry {
  return facts === null ? message : Object.assign(message, JSON.parse(facts))
}

function withFacts(body: unknown, facts: string | null, light: boolean): unknown {
  if (!isRecord(body) || body.type !== 'compaction') return body
  // The object is new, so it may be changed.
  if (light) return Object.assign(body, { summary: '', indexDelta: {} })
  return facts === null ? body : Object.assign(body, JSON.parse(facts))
}

function changeOf(value: unknown, seq: Seq): Entry {
  return isStoredCompaction(value) || isStoredMark(value) ? value : readEntry(value, `entry #${seq}`)
}

const OUTCOMES: ReadonlySet<unknown> = new Set(['failed', 'cancelled', 'skipped'])

/** Entries that only point at others, and attempts. */
function isStoredMark(value: unknown): value is Entry {
  if (!isRecord(value) || typeof value.id !== 'string' || !Number.isSafeInteger(value.seq)) return false
  switch (value.type) {
    case 'undo':
      return Number.isSafeInteger(value.of)
    case 'redact':
      return Number.isSafeInteger(value.target)
    case 'mask':
      return Array.isArray(value.targets) && value.targets.every(Number.isSafeInteger)
    case 'attempt':
      return OUTCOMES.has(value.outcome) && typeof value.reason === 'string' && typeof value.at === 'number'
    default:
      return false
  }
}

const FRAMES: ReadonlySet<unknown> = new Set(styleSchema.options)
const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])
function isStoredMessage(value: unknown): value is Entry {
  if (!isRecord(value) || value.type !== 'message' || typeof value.seq !== 'number' || typeof value.id !== 'string')
    return false
  const { message } = value
  if (!isRecord(message) || !ROLES.has(message.role)) return false
  if (typeof message.content === 'string') return message.role !== 'tool'
  if (!Array.isArray(message.content)) return false
  for (const part of message.content) if (!isStoredPart(part)) return false
  return true
}

function isStoredCompaction(value: unknown): value is Entry {
  if (!isRecord(value) || value.type !== 'compaction' || typeof value.id !== 'string') return false
  const numbers = [value.seq, value.from, value.upTo, value.messages]
  const { keep, indexDelta, parts = [], summary, frame } = value
  if (!numbers.every(Number.isSafeInteger) || !Array.isArray(keep) || !keep.every(Number.isSafeInteger)) return false
  if (typeof summary !== 'string' || !FRAMES.has(frame) || !isRecord(indexDelta)) return false
  if (!Array.isArray(parts) || !parts.every(isStoredRecordPart)) return false
  return Object.entries(indexDelta).every(
    ([kind, facts]) => kind === 'leftOut' || (Array.isArray(facts) && facts.every(isFact)),
  )
}

function isStoredRecordPart(part: unknown): boolean {
  return (
    isRecord(part) && typeof part.text === 'string' && Array.isArray(part.from) && part.from.every(Number.isSafeInteger)
  )
}

function isFact(fact: unknown): boolean {
  return isRecord(fact) && typeof fact.seq === 'number'
}

function isStoredPart(part: unknown): boolean {
  if (!isRecord(part) || typeof part.type !== 'string') return false
  if (part.type === 'text' || part.type === 'reasoning') return typeof part.text === 'string'
  if (part.type === 'tool-call') return typeof part.toolCallId === 'string' && typeof part.toolName === 'string'
  if (part.type !== 'tool-result') return true
  return typeof part.toolCallId === 'string' && isRecord(part.output) && typeof part.output.type === 'string'
}
