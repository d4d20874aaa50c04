import { hash } from 'node:crypto'
import { callsOf, type Entry, type Message, textOf } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'

/**
 * The beginning and the end of a conversation, by what a provider said in it: the ids of calls, and hashes of longer answers.
 * A gateway and the agent itself write down the same ones, while each has its own form of everything else.
 */
export type ConversationEnds = {
  readonly first: readonly string[]
  readonly last: readonly string[]
  /** The session that a record of ours in it names. */
  readonly record?: SessionId
}

const MARKS = 20
/** Shorter answers, such as "Done.", are said in many conversations. */
const SHORTEST = 40
/** How many messages of a stored session are read at either end: not each of them has a mark. */
const MESSAGES = 4 * MARKS

export function conversationEnds(entries: readonly Entry[]): ConversationEnds {
  return endsOf(marksOf(entries.slice(0, MESSAGES)), marksOf(entries.slice(-MESSAGES)))
}

/** The same of a stored session, without reading all of it. */
export async function storedEnds(store: Store, id: SessionId): Promise<ConversationEnds> {
  const [first, last] = await Promise.all(
    (['oldest', 'newest'] as const).map((order) => store.entries(id, { only: 'messages', order, limit: MESSAGES })),
  )
  return endsOf(marksOf(first?.entries ?? []), marksOf(last?.entries ?? []))
}

/** True if the stored session has the conversation of a file from its beginning, or from our record in it, up to its end. */
export function isRecordedIn(file: ConversationEnds, id: SessionId, stored: ConversationEnds): boolean {
  const shares = (a: readonly string[], b: readonly string[]) => a.some((mark) => b.includes(mark))
  return shares(file.last, stored.last) && (file.record === id || shares(file.first, stored.first))
}

function endsOf(first: readonly string[], last: readonly string[]): ConversationEnds {
  return { first: first.slice(0, MARKS), last: last.slice(-MARKS) }
}

function marksOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? messageMarks(entry.message) : []))
}

function messageMarks(message: Message): string[] {
  if (message.role !== 'assistant') return []
  const text = textOf(message).trim()
  const calls = callsOf(message).map(({ toolCallId }) => toolCallId)
  // Some clients number their calls: `call_1` is in every conversation.
  const ids = calls.filter((id) => id.length >= 12 && /\d/.test(id) && !/^\D*\d{1,4}$/.test(id))
  return text.length < SHORTEST ? ids : [...ids, hash('sha256', text, 'base64url').slice(0, 16)]
}
