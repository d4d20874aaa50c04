import type { Context } from '../engine/context/context.ts'
import { type FoldedLog, plainItem, withItem } from '../engine/context/view/plain-view.ts'
import type { Entry, Message, Usage } from '../model/types.ts'
import type { KnownList } from './open-contexts.ts'
import { MOST_REPORTS } from './state/context-state.ts'
import { type Conversation, messageEntry, withUsage } from './state/conversation.ts'

/** A list of messages as a call left it. */
export type OpenList = {
  readonly context: Context
  /** Set if that call changed nothing: the next messages can be added to it. */
  unchanged?: UnchangedList
}

type UnchangedList = {
  readonly conversation: Conversation
  /** The messages that were sent, if they are others. */
  readonly sent: readonly Message[] | undefined
  readonly recall: boolean
  /** The checksum of the state that the call returned. Undefined until the caller has looked at it. */
  readonly check?: string
}

/** The rest of an open list: its conversation with the new messages, and its view. */
export type ContinuedList = {
  readonly conversation: Conversation
  readonly folded: FoldedLog
  readonly fresh: readonly Message[]
  readonly before: UnchangedList
}

/**
 * Continues a list that the caller passes in again with the state of the last call and a few more messages. The result is the
 * same as if the state were read again, but only the new messages are read. Undefined if anything else has changed.
 */
export function continuedList(
  known: KnownList<OpenList> | undefined,
  messages: readonly Message[],
  { state, usage }: { readonly state: unknown; readonly usage: Usage | undefined },
): ContinuedList | undefined {
  const before = known?.value.unchanged
  if (known === undefined || before?.check === undefined || checkOf(state) !== before.check) return undefined
  const { conversation, context } = { conversation: before.conversation, context: known.value.context }
  const fresh = messages.slice(known.length)
  // The provider's count belongs to the last answer.
  if (conversation.messages.length === 0 || (usage !== undefined && !fresh.some(({ role }) => role === 'assistant')))
    return undefined
  const next = (context.log.last?.seq ?? 0) + 1
  const seqs = fresh.map((_, i) => next + i)
  const longer = withUsage(
    {
      ...conversation,
      messages: [...conversation.messages, ...fresh],
      seqs: [...conversation.seqs, ...seqs],
      log: [...conversation.log, ...fresh.map((message, i) => messageEntry(message, next + i))],
    },
    usage,
  )
  let { view } = context
  for (const entry of longer.log.slice(conversation.log.length))
    if (entry.type === 'message') view = withItem(view, entry, plainItem(entry))
  const folded = { view, made: context.made }
  return { conversation: { ...longer, log: withLastReports(longer.log) }, folded, fresh, before }
}

function checkOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'check' in state ? state.check : undefined
}

/** A state has only the last reports. */
function withLastReports(log: readonly Entry[]): readonly Entry[] {
  const counted = log.flatMap((entry, i) => (entry.type === 'message' && entry.usage !== undefined ? [i] : []))
  const dropped = new Set(counted.slice(0, -MOST_REPORTS))
  if (dropped.size === 0) return log
  return log.map((entry, i) =>
    entry.type === 'message' && dropped.has(i) ? messageEntry(entry.message, entry.seq) : entry,
  )
}
