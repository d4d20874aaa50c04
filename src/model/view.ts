import type { Drift } from './entry.ts'
import type { Index, SeenFile } from './facts/log-index.ts'
import type { Seq } from './ids.ts'
import type { Items } from './items.ts'
import type { Message, UserMessage } from './message/message.ts'
import type { UserWords } from './message/user-words.ts'
import type { Style } from './policy/policy.ts'

/** A message of the view, as the model sees it now (masked, squeezed or redacted if an entry says so). */
export type MessageItem = {
  readonly kind: 'message'
  readonly seq: Seq
  /** The item's place in the order of the log: its seq, except for a message that a repair added. */
  readonly place: Seq
  readonly message: Message
  /** The time of the message, if the log has it. */
  readonly at?: number
  readonly pinned: boolean
  /** The files that the tools of these results read and wrote. */
  readonly files?: readonly SeenFile[]
  /** The part of the message that the user said, if its reader knows it or the message was rewritten since. */
  readonly userWords?: readonly UserWords[]
}

/** The summary that replaces a range of the log. `seq` is that of the compaction. */
export type SummaryItem = {
  readonly kind: 'summary'
  readonly seq: Seq
  readonly place: Seq
  readonly from: Seq
  readonly upTo: Seq
  /** The number of messages of the log that it replaces. */
  readonly standsFor: number
  readonly message: Message
  readonly text: string
  /** True if a model or the user wrote the text. If false, it was made from facts in the index. */
  readonly written: boolean
  readonly frame: Style
  readonly index: Index
  readonly pinned: false
}

export type Item = MessageItem | SummaryItem

/** The messages that the model would see now: a fold over the log. */
export type View = {
  readonly items: Items
  /** The last entry that changed the view in any way except appending a message; 0 if there was none. */
  readonly revision: Seq
  /** The last compaction, mask, squeeze or undo; growth is counted from here. */
  readonly settled: Seq
  readonly settledBy?: 'compaction' | 'mask' | 'squeeze' | 'undo'
  /** The last entry of the log that the view includes. */
  readonly lastSeq: Seq
  readonly anchor?: Anchor
  /** How a provider counted the view before its last reduction. It has not been counted since. */
  readonly drift?: Drift
}

/** The provider's own count of the first `items` items of the view and of everything sent with them. */
export type Anchor = {
  readonly items: number
  readonly tokens: number
  readonly model?: string
  /** The part that was sent: without the answer, which is the last of the items. */
  readonly input: number
  /** The previous report on the same view, when it was shorter. */
  readonly before?: Pick<Anchor, 'items' | 'input'>
}

/** A view as if no provider had counted it. */
export function uncounted(view: View): View {
  return { ...view, anchor: undefined, drift: undefined }
}

/** True for a message of the user; false for a summary in the user role. */
export function isUserMessage(item: Item | undefined): item is MessageItem & { readonly message: UserMessage } {
  return item?.kind === 'message' && item.message.role === 'user'
}

/**
 * The messages of a view, in order. A summary has the role of its frame.
 *
 * @example
 * ```ts
 * import { logOf, messagesOf, viewOf } from 'pith'
 *
 * console.log(messagesOf(viewOf(logOf(messages))).length === messages.length)
 * ```
 */
export function messagesOf(view: View): Message[] {
  return view.items.slice().map((item) => item.message)
}
