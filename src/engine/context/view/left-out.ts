import { handle } from '../../../model/text.ts'
import type { EntryOf, LeftOutTarget, MessageItem, Seq } from '../../../model/types.ts'
import type { ListItem } from './item-list.ts'
import { isInRange } from './replaced-range.ts'
import { leaveOutResults } from './rewrite-message.ts'

type LeaveOut = EntryOf<'leave-out'>

/** A part of a leave-out that hides a message, and its entry. */
type Hiding = { readonly entry: LeaveOut; readonly target: LeftOutTarget }

/**
 * The items as the model sees them. A line replaces each run of messages that was left out, and a note each result. The hidden
 * messages stay in the item: facts come from the log, whatever the view shows. `isBack`: true for a message that came back
 * word for word after this entry.
 */
export function withoutLeftOut(
  items: readonly ListItem[],
  leaveOuts: readonly LeaveOut[],
  isBack: (seq: Seq, since: Seq) => boolean,
): readonly ListItem[] {
  if (leaveOuts.length === 0) return items
  const shown: ListItem[] = []
  let hiding: Hiding | undefined
  let hidden: MessageItem[] = []
  const endRun = () => {
    if (hiding !== undefined) shown.push(lineFor(hiding.entry, hiding.target, hidden))
    hiding = undefined
    hidden = []
  }
  for (const item of items) {
    const found = item.kind === 'message' ? hidingOf(item, leaveOuts, isBack) : undefined
    if (found?.target !== hiding?.target) endRun()
    if (item.kind !== 'message' || found === undefined)
      shown.push(item.kind === 'message' ? withoutResults(item, leaveOuts, isBack) : item)
    else {
      hiding = found
      hidden.push(item)
    }
  }
  endRun()
  return shown
}

/** The newest leave-out that hides the whole message: a longer range may include an earlier one. */
function hidingOf(
  { seq, place }: MessageItem,
  leaveOuts: readonly LeaveOut[],
  isBack: (seq: Seq, since: Seq) => boolean,
): Hiding | undefined {
  for (const entry of leaveOuts.toReversed()) {
    if (seq > entry.seq || isBack(seq, entry.seq)) continue
    const target = entry.targets.find((one) => one.calls === undefined && isInRange(one, place))
    if (target !== undefined) return { entry, target }
  }
  return undefined
}

function lineFor(
  { seq, requestedBy: by }: LeaveOut,
  { tokens }: LeftOutTarget,
  items: readonly MessageItem[],
): MessageItem {
  const from = items.reduce((least, { place }) => Math.min(least, place), Number.POSITIVE_INFINITY)
  const upTo = items.reduce((most, { place }) => Math.max(most, place), 0)
  const messages = items.length === 1 ? '1 message' : `${items.length} messages`
  const content =
    from === upTo
      ? `[${handle(from)} left out by the ${by}: ${messages}, ${tokens} tokens; recall ${handle(from)} shows it]`
      : `[${handle(from)}–${handle(upTo)} left out by the ${by}: ${messages}, ${tokens} tokens; recall ${handle(from)}-${handle(upTo)} shows them]`
  return {
    kind: 'message',
    seq,
    place: upTo,
    message: { role: 'user', content },
    pinned: false,
    userWords: [],
    leftOut: { by: seq, items },
  }
}

/** The message with notes instead of the results that were left out. */
function withoutResults(
  item: MessageItem,
  leaveOuts: readonly LeaveOut[],
  isBack: (seq: Seq, since: Seq) => boolean,
): MessageItem {
  const askers = new Map<string, LeaveOut['requestedBy']>()
  let by = 0
  for (const { seq, requestedBy, targets } of leaveOuts) {
    const calls = targets.flatMap((one) => (isInRange(one, item.place) ? (one.calls ?? []) : []))
    if (calls.length === 0 || item.seq > seq || isBack(item.seq, seq)) continue
    for (const call of calls) askers.set(call, requestedBy)
    by = seq
  }
  const message = askers.size === 0 ? item.message : leaveOutResults(item.message, item.seq, askers)
  return message === item.message ? item : { ...item, message, leftOut: { by, items: [item] } }
}
