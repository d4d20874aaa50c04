import { REDACTED, squeezeMessage } from '../../../engine/context/view/rewrite-message.ts'
import { handle } from '../../../model/text.ts'
import {
  type Item,
  isLeftOutLine,
  type Message,
  type MessageItem,
  outputText,
  resultsOf,
  type Seq,
  textOf,
} from '../../../model/types.ts'
import { RecentMap } from '../../../model/values.ts'
import type { SessionId } from '../../../store/store.ts'
import type { ChainStep } from '../../faces/face.ts'
import { hasClearedResult } from '../../identity/cleared-results.ts'
import { linksOf } from '../../identity/conversation.ts'
import type { PlacedStep } from '../../identity/find-place.ts'

/** The change to one of our messages in a request. */
export type PieceFate = { readonly kind: 'kept' | 'left-out' } | { readonly kind: 'text'; readonly text: string }

/** The change to a message of a request: all of it stays, all of it is left out, or each of our messages in it has its own change. */
export type MessageFate = 'kept' | 'left-out' | ReadonlyMap<number, PieceFate>

/** How a request is changed: by the places of its messages, so that it fits every later request of the conversation too. */
export type RewritePlan = {
  /** Records and the lines about messages that were left out, each with the position of the message after it. */
  readonly records: readonly { readonly before: number; readonly text: string }[]
  /** By the position of a request's message; a message without content has none. From `end` on nothing changes. */
  readonly fates: ReadonlyMap<number, MessageFate>
  readonly end: number
}

/**
 * The plan that gives a request the messages of the view: messages that a record replaced are left out, masked results are
 * handles. A client that compacted by itself has the record in a message of its own, with its own tail after it. Both stay
 * as long as that record is in the view, and are left out together.
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

/** The record that the client itself sends, word for word, as a user message or, in opencode, as an answer. Only before its first call: a tool may print anything. */
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

/** An answer stays as the provider signed it, or is left out as a whole. Results and the user's messages may be shortened. */
function fateOf(message: Message, shown: MessageItem | undefined): PieceFate {
  if (shown === undefined) return { kind: 'left-out' }
  if (message.role === 'assistant' || linksOf(message).join('\n') === linksOf(shown.message).join('\n')) return KEPT
  // A shortened message is sent as one text: notes in it replace its images and files.
  const texts = squeezeMessage(shown.message, shown.seq, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  const [result] = resultsOf(texts)
  const text = result === undefined ? textOf(texts) : outputText(result.output)
  return hasClearedResult(message) && !isShortened(text, shown.seq) ? KEPT : { kind: 'text', text }
}

/** True for a text with a note of ours: it has the handle, which the agent's own note has not, and nothing that was redacted. */
function isShortened(text: string, seq: Seq): boolean {
  return text.includes(`recall ${handle(seq)}`) || text.includes(REDACTED)
}

/** Each record or line goes before the first message that follows it in the view and is in the request. A result stays after its call. */
function recordsIn(steps: readonly PlacedStep[], items: readonly Item[]): RewritePlan['records'] {
  const places = new Map(
    steps.flatMap(({ seq }, i) => (seq === undefined ? [] : [[seq, steps[callBefore(steps, i)]?.at ?? 0] as const])),
  )
  return items.flatMap((item, i) => {
    if (item.kind !== 'summary' && !isLeftOutLine(item)) return []
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

/** A plan, and the view that it was made for. Until that view changes, every later request of the conversation has the same plan. */
type KeptPlan = { readonly plan: RewritePlan; readonly session: SessionId; readonly revision: Seq }

const MOST_PLANS = 200

/**
 * The last plans, by the value of the conversation that each was for. When the store cannot be read, the plan of an earlier
 * request is used again: the client's whole history may not fit the window any more.
 */
export class PlanMemory {
  readonly #plans = new RecentMap<string, KeptPlan>(MOST_PLANS)

  keep(steps: readonly ChainStep[], plan: KeptPlan): void {
    const value = steps.at(-1)?.value
    if (value !== undefined) this.#plans.set(value, plan)
  }

  /** The plan of the longest earlier request that these steps continue. */
  find(steps: readonly ChainStep[]): KeptPlan | undefined {
    const last = steps.findLast(({ value }) => this.#plans.has(value))
    return last === undefined ? undefined : this.#plans.get(last.value)
  }
}
