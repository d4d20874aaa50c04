import { squeezeMessage } from '../../../engine/context/view/rewrite-message.ts'
import { type Message, outputText, resultsOf, textOf } from '../../../model/message/message.ts'
import type { Item, MessageItem } from '../../../model/view.ts'
import { linksOf } from '../../identity/links.ts'
import type { PlacedStep } from '../../identity/placed-steps.ts'

/** What becomes of one of our messages in a request. */
export type PieceFate = { readonly kind: 'kept' | 'left-out' } | { readonly kind: 'text'; readonly text: string }

/** What becomes of a message of a request: all of it stays, all of it goes, or it is told by the place of ours in it. */
export type MessageFate = 'kept' | 'left-out' | ReadonlyMap<number, PieceFate>

/** How a request is changed: by the places of its messages, so that it fits every later request of the conversation too. */
export type RewritePlan = {
  /** Records, each with the place of the message that it stands before. */
  readonly records: readonly { readonly before: number; readonly text: string }[]
  /** By the place of a request's message; none for one that says nothing. Behind `end` nothing changes. */
  readonly fates: ReadonlyMap<number, MessageFate>
  readonly end: number
}

/**
 * The plan that makes a request show the view: what a record replaced is left out, masked results are handles. A client that
 * compacted by itself has the record in its own frame, with a tail of its own behind it: both stay as long as that record
 * does, and leave together.
 */
export function rewritePlan(steps: readonly PlacedStep[], items: readonly Item[]): RewritePlan {
  const shown = new Map(items.flatMap((item) => (item.kind === 'message' ? [[item.seq, item] as const] : [])))
  const own = ownRecord(steps, items)
  const lastPlaced = steps.findLastIndex(({ seq }) => seq !== undefined)
  const pieces = new Map<number, Map<number, PieceFate>>()
  let before = KEPT
  for (const [i, { seq, at, piece, message }] of steps.entries()) {
    const seen = seq === undefined ? undefined : shown.get(seq)
    if (own !== undefined) before = seen === undefined || i === own.at ? KEPT : fateOf(message, seen)
    else if (seq !== undefined) before = fateOf(message, seen)
    else if (i > lastPlaced || before.kind === 'text') before = KEPT
    pieces.set(at, (pieces.get(at) ?? new Map<number, PieceFate>()).set(piece, before))
  }
  const fates = new Map([...pieces].map(([at, fate]) => [at, messageFate(fate)]))
  const others = items.filter((item) => item !== own?.item)
  return { records: recordsIn(steps, others), fates, end: endOf(steps) }
}

/** The record that the client itself says, word for word, as the user or, in opencode, as the agent. Only before its first call: a tool may print anything. */
function ownRecord(steps: readonly PlacedStep[], items: readonly Item[]): { item: Item; at: number } | undefined {
  const item = items.findLast(({ kind }) => kind === 'summary')
  const record = item === undefined ? '' : textOf(item.message).trim()
  if (item === undefined || record === '') return undefined
  const firstCall = steps.findIndex(({ usesTools }) => usesTools)
  const beginning = steps.slice(0, firstCall === -1 ? undefined : firstCall)
  const at = beginning.findIndex(({ message }) => message.role !== 'tool' && textOf(message).includes(record))
  return at === -1 ? undefined : { item, at }
}

/** True for a plan that changes nothing: the client's own bytes are sent. */
export function isEmptyPlan({ records, fates }: RewritePlan): boolean {
  return records.length === 0 && [...fates.values()].every((fate) => fate === 'kept')
}

function messageFate(pieces: ReadonlyMap<number, PieceFate>): MessageFate {
  const kinds = new Set([...pieces.values()].map(({ kind }) => kind))
  if (kinds.size > 1 || kinds.has('text')) return pieces
  return kinds.has('kept') ? 'kept' : 'left-out'
}

const KEPT: PieceFate = { kind: 'kept' }

/** An answer stays as the provider signed it, or leaves whole. Results and words of the user may be shortened. */
function fateOf(message: Message, shown: MessageItem | undefined): PieceFate {
  if (shown === undefined) return { kind: 'left-out' }
  if (message.role === 'assistant' || linksOf(message).join('\n') === linksOf(shown.message).join('\n')) return KEPT
  // A shortened message is sent as one text: a note says where its images and files are.
  const texts = squeezeMessage(shown.message, shown.seq, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  const [result] = resultsOf(texts)
  return { kind: 'text', text: result === undefined ? textOf(texts) : outputText(result.output) }
}

/** Each record goes before the first message behind it in the view that the request has: a result stays behind its call. */
function recordsIn(steps: readonly PlacedStep[], items: readonly Item[]): RewritePlan['records'] {
  const places = new Map(
    steps.flatMap(({ seq }, i) => (seq === undefined ? [] : [[seq, steps[callBefore(steps, i)]?.at ?? 0] as const])),
  )
  return items.flatMap((item, i) => {
    if (item.kind !== 'summary') return []
    const next = items.slice(i + 1).find(({ kind, seq }) => kind === 'message' && places.has(seq))
    const before = next === undefined ? undefined : places.get(next.seq)
    return [{ before: before ?? endOf(steps), text: textOf(item.message) }]
  })
}

/** The step whose calls this one answers, or the step itself. */
function callBefore(steps: readonly PlacedStep[], i: number): number {
  const isResult = steps[i]?.message.role === 'tool'
  return isResult ? steps.findLastIndex(({ message }, at) => at < i && message.role === 'assistant') : i
}

function endOf(steps: readonly PlacedStep[]): number {
  return (steps.at(-1)?.at ?? -1) + 1
}
