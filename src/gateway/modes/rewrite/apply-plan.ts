import { fields, list } from '../../../formats/shared/json.ts'
import type { JsonValue } from '../../../model/types.ts'
import { type ByteRange, elementRanges } from '../../bytes/json-ranges.ts'
import { type ByteEdit, splice, valueRange } from '../../bytes/splice.ts'
import type { FaceName, FaceRequest, RequestMessage } from '../../faces/face.ts'
import { messageValue } from '../../faces/read-request.ts'
import type { MessageFate, PieceFate, RewritePlan } from './rewrite-plan.ts'

/** The body of a request, changed as a plan says. Every message that stays is the client's own bytes. */
export function applyPlan(read: FaceRequest, plan: RewritePlan): Buffer {
  const writing = FACE_WRITINGS[read.face]
  const stays = staying(read, plan)
  const records = plan.records.map((record) => ({
    before: Math.min(record.before, read.messages.length),
    bytes: Buffer.from(writing.userMessage(record.text)),
  }))
  const elements: Uint8Array[] = []
  for (let at = 0; at <= read.messages.length; at++) {
    for (const { before, bytes } of records) if (before === at) elements.push(bytes)
    const run = keptFrom(read, plan, stays, at)
    const message = read.messages[at]
    if (run > at) {
      // Neighbours that stay are copied together with the bytes between them.
      elements.push(read.body.subarray(message?.start, read.messages[run - 1]?.end))
      at = run - 1
    } else if (message !== undefined && stays[at] === true) {
      elements.push(messageBytes(read, message, plan.fates.get(at), writing))
    }
  }
  const { body, list } = read
  return Buffer.concat([body.subarray(0, list.start), ...listPieces(elements), body.subarray(list.end)])
}

/** The end of the messages from `at` on that stay as they are, up to the next record. */
function keptFrom({ messages }: FaceRequest, { fates, records }: RewritePlan, stays: readonly boolean[], at: number) {
  const isWhole = (place: number) => stays[place] === true && (fates.get(place) ?? 'kept') === 'kept'
  const isCut = (place: number) => place > at && records.some(({ before }) => before === place)
  let end = at
  while (end < messages.length && isWhole(end) && !isCut(end)) end++
  return end
}

/**
 * For each message, whether it stays, at least in part. Instructions among the messages always stay. A message without a
 * fate of its own follows its neighbour: reasoning the next message, everything else the message before.
 */
function staying(read: FaceRequest, { fates, end }: RewritePlan): boolean[] {
  const own = read.messages.map(({ instruction }, at): boolean | undefined => {
    if (instruction !== undefined) return undefined
    if (at >= end) return true
    const fate = fates.get(at)
    return fate === undefined ? undefined : fate !== 'left-out'
  })
  const before = carried(own)
  const after = carried(own.toReversed()).toReversed()
  return read.messages.map((message, at) => {
    if (message.instruction !== undefined) return true
    if (own[at] !== undefined) return own[at]
    const isReasoning = fields(messageValue(read, message))?.type === 'reasoning'
    return (isReasoning ? (after[at] ?? before[at]) : (before[at] ?? after[at])) ?? true
  })
}

/** Each value, or else the last one before it. */
function carried(values: readonly (boolean | undefined)[]): (boolean | undefined)[] {
  let last: boolean | undefined
  return values.map((value) => {
    last = value ?? last
    return last
  })
}

/** The bytes of a message of which something stays. */
function messageBytes(
  read: FaceRequest,
  message: RequestMessage,
  fate: MessageFate | undefined,
  writing: FaceWriting,
): Uint8Array {
  const { body } = read
  if (fate === undefined || typeof fate === 'string') return body.subarray(message.start, message.end)
  const { partsKey, userMessage, textPart, isResult } = writing
  const value = messageValue(read, message)
  const values = partsKey === undefined ? [] : (list(fields(value)?.[partsKey]) as readonly JsonValue[])
  const range = partsKey === undefined ? undefined : valueRange(body, message.start, [partsKey])
  const whole = { ...message, value }
  if (range === undefined || values.length === 0) return changed(body, whole, fate.get(0), writing, userMessage)
  const places = resultsFirst(values, isResult)
  const parts = elementRanges(body, range.start).flatMap((part, i) => {
    const piece = fate.get(places[i] ?? -1)
    // The text replaces the first part of a piece; its other parts are dropped.
    const isRest = piece?.kind === 'text' && places.indexOf(places[i] ?? -1) !== i
    if (piece?.kind === 'left-out' || isRest) return []
    return [changed(body, { ...part, value: values[i] ?? null }, piece, writing, textPart)]
  })
  return spliced(body, message, { ...range, text: Buffer.concat(listPieces(parts)) })
}

/** A message, or a part of one, with its new text: of a result only the value changes. */
function changed(
  body: Buffer,
  { value, start, end }: ByteRange & { readonly value: JsonValue },
  fate: PieceFate | undefined,
  { isResult, resultPath, resultValue }: FaceWriting,
  written: (text: string) => string,
): Uint8Array {
  if (fate?.kind !== 'text') return body.subarray(start, end)
  const result = isResult(value) ? valueRange(body, start, resultPath) : undefined
  if (result === undefined) return Buffer.from(written(fate.text))
  return spliced(body, { start, end }, { ...result, text: JSON.stringify(resultValue?.(fate.text) ?? fate.text) })
}

/** A slice of the body in which one range is replaced. */
function spliced(body: Buffer, { start, end }: ByteRange, edit: ByteEdit): Buffer {
  const moved = { ...edit, start: edit.start - start, end: edit.end - start }
  return splice(body.subarray(start, end), [moved])
}

/** A list of elements, as JSON in pieces. */
function listPieces(elements: readonly Uint8Array[]): Uint8Array[] {
  const comma = Buffer.from(',')
  const spaced = elements.flatMap((element, i) => (i === 0 ? [element] : [comma, element]))
  return [Buffer.from('['), ...spaced, Buffer.from(']')]
}

/** The details of a protocol that we need to leave out a part of a message, and to replace a result by a text. */
type FaceWriting = {
  /** A message of the user, as JSON. */
  userMessage(text: string): string
  /** A part of such a message, as JSON. */
  textPart(text: string): string
  /** The member of a message that has its parts, if one message of the protocol becomes several of ours. */
  readonly partsKey?: string
  /** True for a message or a part that is a result. */
  isResult(value: JsonValue): boolean
  /** The members that lead from a result to the value that a model reads. */
  readonly resultPath: readonly string[]
  /** A text that replaces that value; if absent, the text itself. */
  resultValue?(text: string): JsonValue
}

const FACE_WRITINGS: Readonly<Record<FaceName, FaceWriting>> = {
  anthropic: {
    userMessage: (text) => JSON.stringify({ role: 'user', content: [{ type: 'text', text }] }),
    textPart: (text) => JSON.stringify({ type: 'text', text }),
    partsKey: 'content',
    isResult: (part) => fields(part)?.type === 'tool_result',
    resultPath: ['content'],
  },
  'openai-chat': {
    userMessage: (text) => JSON.stringify({ role: 'user', content: text }),
    textPart: (text) => JSON.stringify({ type: 'text', text }),
    isResult: (message) => ['tool', 'function'].includes(String(fields(message)?.role)),
    resultPath: ['content'],
  },
  'openai-responses': {
    userMessage: (text) => JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    textPart: (text) => JSON.stringify({ type: 'input_text', text }),
    isResult: (item) => /_output$/.test(String(fields(item)?.type)),
    resultPath: ['output'],
  },
  gemini: {
    userMessage: (text) => JSON.stringify({ role: 'user', parts: [{ text }] }),
    textPart: (text) => JSON.stringify({ text }),
    partsKey: 'parts',
    isResult: (part) => fields(fields(part)?.functionResponse) !== undefined,
    resultPath: ['functionResponse', 'response'],
    resultValue: (text) => ({ output: text }),
  },
}

/**
 * The piece of each part of a message. Each result is a piece of its own, in order, and everything else is the last piece. A
 * repeated result is the same piece.
 */
function resultsFirst(parts: readonly JsonValue[], isResult: (part: JsonValue) => boolean): number[] {
  const results = [...new Set(parts.filter(isResult).map((part) => JSON.stringify(part)))]
  return parts.map((part) => (isResult(part) ? results.indexOf(JSON.stringify(part)) : results.length))
}
