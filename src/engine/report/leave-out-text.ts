import { handle } from '../../model/text.ts'
import { changeText, type LeaveOutFacts, someOf } from './change-text.ts'
import { count, dollars } from './numbers.ts'

/** A part that stays in the view although it was to be left out, and why. */
export type KeptPart = { readonly seqs: readonly number[]; readonly why: KeptReason }

export type KeptReason =
  | 'unread'
  | 'pinned'
  | 'record'
  | 'instructions'
  | 'provider-compaction'
  // The model may leave out less than the user.
  | 'user-words'
  | 'last-turn'
  | 'put-back'

/** The effect on the provider's cache: it has to be written again from this message on, unless it has expired. Amounts are in US dollars. */
export type LeaveOutCost = {
  readonly breaksFrom: number
  readonly isCold?: true
  readonly once?: number
  readonly savedPerRequest?: number
}

/** A leave-out that was made or planned, with the fields that a sentence about it needs. */
export type LeaveOutReport = {
  readonly draft: LeaveOutFacts
  readonly kept: readonly KeptPart[]
  readonly cost: LeaveOutCost
}

/** The result of leaving something out, in one line: what, how much, and the price. */
export function leaveOutText(report: LeaveOutReport): string {
  return `${changeText(report.draft)} ${leaveOutEffect(report)}`.trim()
}

/** The price of it, and what stays although it was named. A wish has no price yet. */
export function leaveOutEffect({ draft, kept, cost }: LeaveOutReport): string {
  return [...(draft.waits === true ? [] : [`${costLine(cost)}.`]), ...keptLines(kept)].join(' ')
}

/** `Breaks the cache from #40 on: about $0.21 once, saves $0.03 a request`. */
function costLine({ breaksFrom, isCold, once, savedPerRequest }: LeaveOutCost): string {
  const saves = savedPerRequest === undefined ? '' : `saves ${dollars(savedPerRequest)} a request`
  if (isCold === true) return `The cache is cold, so nothing is lost${saves === '' ? '' : `; it ${saves}`}`
  const price = once === undefined ? '' : `: about ${dollars(once)} once, ${saves}`
  return `Breaks the cache from ${handle(breaksFrom)} on${price}`
}

/** Why nothing was left out. */
export function nothingLeftOutText(
  what: string,
  reason: 'nothing' | 'invalid' | 'not-smaller',
  kept: readonly KeptPart[],
): string {
  if (reason === 'not-smaller') return `${what} is not left out: the line instead of it would be as long`
  if (reason === 'invalid') return `${what} is not left out: no provider would accept the rest`
  if (kept.length > 0) return `${what} stays. ${keptLines(kept).join(' ')}`
  return `${what} is not in the context`
}

/** The same for a model, in one sentence that names what it could drop instead. */
export function refusedDropText(
  what: string,
  reason: 'nothing' | 'invalid' | 'not-smaller',
  kept: readonly KeptPart[],
  nearest: { readonly from: number; readonly upTo: number; readonly tokens: number } | undefined,
): string {
  if (reason !== 'nothing') return nothingLeftOutText(what, reason, kept)
  const why = [...new Set(kept.map((part) => KEPT[part.why]))].join(', and ')
  const instead =
    nearest === undefined
      ? 'nothing else can be dropped now'
      : `the nearest part that can be dropped is ${rangeText(nearest)} (${count(nearest.tokens)} tokens)`
  return `${what} ${why === '' ? 'is not in the context' : `stays: ${why}`}; ${instead}`
}

function rangeText({ from, upTo }: { readonly from: number; readonly upTo: number }): string {
  return from === upTo ? handle(from) : `${handle(from)}-${handle(upTo)}`
}

function keptLines(kept: readonly KeptPart[]): string[] {
  return kept.map(
    ({ seqs, why }) =>
      `${someOf([...new Set(seqs)].map(handle))} ${seqs.length === 1 ? 'stays' : 'stay'}: ${KEPT[why]}.`,
  )
}

const KEPT: Readonly<Record<KeptReason, string>> = {
  unread: 'the model has not read it yet',
  pinned: 'it is pinned',
  record: 'a record is undone or edited, not left out',
  instructions: 'these are instructions',
  'provider-compaction': 'the provider compacted it itself',
  'user-words': 'only the user may leave out what the user said',
  'last-turn': 'it belongs to the current turn',
  'put-back': 'the user has put it back',
}

/** Why something is not put back: a record covers it now. */
export function coveredText(what: string, first: number): string {
  return `${what} is part of a record now: recall ${what.replaceAll('–', '-')} shows it, and a pin of ${handle(first)} puts that message back word for word`
}

/** Why something is not put back: the context would be too large. */
export function doesNotFitText(what: string, tokens: number, most: number): string {
  return `${what} does not fit: the context would have ${count(tokens)} tokens, and ${count(most)} is the most`
}

/** A part of the context that can be left out: how to name it, and how much it takes. */
export type LeaveOutChoice = {
  readonly select: string
  readonly name: string
  readonly parts: number
  readonly tokens: number
}
