import { fields, list } from '../../../formats/shared/json.ts'
import type { JsonValue } from '../../../model/message.ts'
import { elementRanges, type TextRange } from '../../bytes/json-ranges.ts'
import { splice } from '../../bytes/splice.ts'
import { valueRange } from '../../bytes/value-range.ts'
import type { FaceRequest, RequestMessage } from '../../faces/face.ts'
import { FACE_WRITINGS, type FaceWriting } from './face-writing.ts'
import { allKept, type PieceFate, type RewritePlan } from './rewrite-plan.ts'

/** The body of a request, changed as a plan says. Every message that stays is the client's own text. */
export function applyPlan(read: FaceRequest, plan: RewritePlan): string {
  const writing = FACE_WRITINGS[read.face]
  const stays = staying(read, plan)
  const records = (isHere: (before: number) => boolean) =>
    plan.records.filter(({ before }) => isHere(before)).map(({ text }) => writing.userMessage(text))
  const messages = read.messages.flatMap((message, at) => [
    ...records((before) => before === at),
    ...(stays[at] === true ? [messageText(read.text, message, plan.fates.get(at), writing)] : []),
  ])
  const behind = records((before) => before >= read.messages.length)
  return splice(read.text, [{ ...read.list, text: `[${[...messages, ...behind].join(',')}]` }])
}

/**
 * Whether each message stays, at least in part. Instructions among the messages always do. A message that says nothing
 * goes with its neighbour: reasoning with what follows it, everything else with what stands before.
 */
function staying({ messages }: FaceRequest, { fates, end }: RewritePlan): boolean[] {
  const own = messages.map(({ value }, at) => {
    if (isInstruction(value)) return 'instruction'
    if (at >= end) return true
    const pieces = fates.get(at)
    return pieces === undefined ? undefined : [...pieces.values()].some(({ kind }) => kind !== 'left-out')
  })
  const isKnown = (fate: unknown) => typeof fate === 'boolean'
  return messages.map(({ value }, at) => {
    if (own[at] !== undefined) return own[at] !== false
    const before = own.slice(0, at).findLast(isKnown)
    const behind = own.slice(at + 1).find(isKnown)
    const isReasoning = fields(value)?.type === 'reasoning'
    return ((isReasoning ? (behind ?? before) : (before ?? behind)) ?? true) === true
  })
}

function isInstruction(value: JsonValue): boolean {
  const role = fields(value)?.role
  return role === 'system' || role === 'developer'
}

/** The text of a message of which something stays. */
function messageText(
  text: string,
  message: RequestMessage,
  pieces: ReadonlyMap<number, PieceFate> | undefined,
  writing: FaceWriting,
): string {
  if (pieces === undefined || allKept(pieces)) return text.slice(message.start, message.end)
  const { partsKey, userMessage, textPart } = writing
  const values = partsKey === undefined ? [] : (list(fields(message.value)?.[partsKey]) as readonly JsonValue[])
  const range = partsKey === undefined ? undefined : valueRange(text, message.start, [partsKey])
  if (range === undefined || values.length === 0) return changed(text, message, pieces.get(0), writing, userMessage)
  const places = writing.piecesOf(message.value)
  const parts = elementRanges(text, range.start).flatMap((part, i) => {
    const fate = pieces.get(places[i] ?? -1)
    // The first part of a piece stands for all of it.
    const isRest = fate?.kind === 'text' && places.indexOf(places[i] ?? -1) !== i
    if (fate?.kind === 'left-out' || isRest) return []
    return [changed(text, { ...part, value: values[i] ?? null }, fate, writing, textPart)]
  })
  return spliced(text, message, { ...range, text: `[${parts.join(',')}]` })
}

/** A message, or a part of one, with its new text: of a result only the value changes. */
function changed(
  text: string,
  message: RequestMessage,
  fate: PieceFate | undefined,
  { isResult, resultPath, resultValue }: FaceWriting,
  written: (text: string) => string,
): string {
  if (fate?.kind !== 'text') return text.slice(message.start, message.end)
  const result = isResult(message.value) ? valueRange(text, message.start, resultPath) : undefined
  return result === undefined ? written(fate.text) : spliced(text, message, { ...result, text: resultValue(fate.text) })
}

/** A slice of the text in which one range is replaced. */
function spliced(text: string, slice: TextRange, edit: TextRange & { readonly text: string }): string {
  const moved = { start: edit.start - slice.start, end: edit.end - slice.start, text: edit.text }
  return splice(text.slice(slice.start, slice.end), [moved])
}
