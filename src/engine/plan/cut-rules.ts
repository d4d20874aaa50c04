import { callsOf, isUserMessage, partsOf, resultsOf, type View } from '../../model/types.ts'
import { type Sizes, tokensBetween } from '../../tokens/sizes.ts'

/** True if the view may be cut before `index` without breaking the rule. */
export type CutRule = (view: View) => (index: number) => boolean

/** A cut never separates a call from its result, parallel calls included. */
export const callsKeepTheirResults: CutRule = ({ items }) => {
  const open = items.openCalls() === 0 ? undefined : openSteps(items)
  return (index) => index <= items.length && (open === undefined ? items.openCalls(index) === 0 : !open.has(index))
}

/**
 * The places inside of steps, in a view with calls that have no result. Such a call may still get one only at the end of the view:
 * elsewhere its step ends with the next message that is not a result.
 */
function openSteps(items: View['items']): ReadonlySet<number> {
  const answered = new Map(
    [...items].flatMap(({ message }, at) => resultsOf(message).map(({ toolCallId }) => [toolCallId, at] as const)),
  )
  const inside = new Set<number>()
  const open = new Set<string>()
  for (const [index, { message }] of [...items].entries()) {
    if (message.role !== 'tool') for (const id of open) if ((answered.get(id) ?? 0) < index) open.delete(id)
    if (open.size > 0) inside.add(index)
    for (const call of callsOf(message)) if (call.providerExecuted !== true) open.add(call.toolCallId)
    for (const { toolCallId } of resultsOf(message)) open.delete(toolCallId)
  }
  return open.size > 0 ? inside.add(items.length) : inside
}

/** Reasoning that is stored separately from its text or call is never left alone before a cut. */
export const reasoningStaysWithItsStep: CutRule = (view) => (index) => {
  const before = view.items.at(index - 1)?.message
  const after = view.items.at(index)?.message
  if (before?.role !== 'assistant' || after?.role !== 'assistant') return true
  return partsOf(before).at(-1)?.type !== 'reasoning'
}

/** A tail never starts with a tool result, and never with a summary: the messages that it covers are before it. */
export const tailStartsLegally: CutRule = (view) => (index) => {
  const first = view.items.at(index)
  return first === undefined || (first.kind === 'message' && first.message.role !== 'tool')
}

/** The rules of the providers. A view may be cut at a place that all of them allow. */
export const CUT_RULES: readonly CutRule[] = [callsKeepTheirResults, reasoningStaysWithItsStep, tailStartsLegally]

/** The rules of the providers and those of the caller. */
export function withCutRules(own: readonly CutRule[] = []): readonly CutRule[] {
  return own.length === 0 ? CUT_RULES : [...CUT_RULES, ...own]
}

/** Returns a check: may the view be cut before this index? */
export function legalCuts(view: View, rules: readonly CutRule[] = CUT_RULES): (index: number) => boolean {
  const checks = rules.map((rule) => rule(view))
  return (index) => checks.every((legal) => legal(index))
}

/** The nearest legal cut at or before `index`, down to 0. */
export function legalAtOrBefore(legal: (index: number) => boolean, index: number): number {
  let cut = index
  while (cut > 0 && !legal(cut)) cut--
  return cut
}

/** The nearest legal cut at or after `index`, or `end` if there is none before it. */
export function legalAtOrAfter(legal: (index: number) => boolean, index: number, end: number): number {
  let cut = index
  while (cut < end && !legal(cut)) cut++
  return cut
}

/**
 * The cut of the default policy: the largest tail within `tailTokens`, in whole turns if they use it well. The items
 * from `readEnd` on are unread: they belong to the tail and are not counted. If the last step alone exceeds the tokens, it is
 * the tail anyway, because an agent in the middle of its work needs it.
 */
export function cutByTurns(
  view: View,
  tailTokens: number,
  sizes: Sizes,
  cutRules?: readonly CutRule[],
  readEnd: number = view.items.length,
): number {
  const legal = legalCuts(view, withCutRules(cutRules))
  const { items } = view
  const end = items.length
  const tokensFrom = (index: number) => tokensBetween(sizes, index, readEnd)
  const within = firstIndex(Math.min(1, readEnd), readEnd, (index) => tokensFrom(index) <= tailTokens)
  // The tail may consist of the unread alone.
  const stop = readEnd < end ? readEnd + 1 : end
  const earliest = legalAtOrAfter(legal, within, stop)
  if (earliest < stop) {
    const turn = legalAtOrAfter((index) => isUserMessage(items.at(index)) && legal(index), earliest, stop)
    return turn < stop && tokensFrom(turn) * 2 >= tailTokens ? turn : earliest
  }
  const last = legalAtOrBefore(legal, stop - 1)
  return last > 0 || readEnd < end ? last : end
}

/** The first index from `start` on that is one, or `end`. All indexes after such a one are ones, too. */
export function firstIndex(start: number, end: number, isOne: (index: number) => boolean): number {
  let from = start
  let to = end
  while (from < to) {
    const middle = (from + to) >> 1
    if (isOne(middle)) to = middle
    else from = middle + 1
  }
  return to
}
