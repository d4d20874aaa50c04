import { EMPTY_FOLD_CACHE } from '../../engine/context/view/plain-view.ts'
import { itemWithoutIndex } from '../../engine/context/view/summary-item.ts'
import { PLAIN_RECORD_AUTHOR, readOwnRecord } from '../../engine/record/record-place.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { type EntryOf, textOf } from '../../model/types.ts'
import type { Conversation } from './conversation.ts'

/**
 * A conversation with its record read. The fold uses the record as it was sent. A record at the front of a list without a state
 * becomes a compaction again.
 */
export function knownRecord(opened: Conversation): Conversation {
  const conversation = withFrontRecord(opened)
  const { log, record } = conversation
  const entry = log.findLast((one) => one.type === 'compaction')
  if (entry === undefined || record === undefined) return conversation
  const live = { entry, place: entry.upTo, text: entry.summary, sources: [entry], redacted: [] }
  const item = { ...itemWithoutIndex(live, record), index: mergeIndexes([entry.indexDelta]) }
  return { ...conversation, made: { ...EMPTY_FOLD_CACHE, records: [{ live, item }] } }
}

/** The handles in a record are those of its own log: the numbers of the messages after it continue from there. */
function withFrontRecord(conversation: Conversation): Conversation {
  const [front, ...rest] = conversation.log
  if (front?.type !== 'message' || front.message.role !== 'user') return conversation
  const compaction = recordEntry(textOf(front.message))
  if (compaction === undefined || rest.some(({ type }) => type !== 'message')) return conversation
  const { seq } = compaction
  return {
    ...conversation,
    seqs: conversation.messages.map((_, i) => (i === 0 ? 0 : seq + i)),
    log: [compaction, ...rest.map((entry, i) => ({ ...entry, id: `e${seq + 1 + i}`, seq: seq + 1 + i }))],
    record: front.message,
  }
}

function recordEntry(text: string): EntryOf<'compaction'> | undefined {
  const read = readOwnRecord(text)
  if (read === undefined) return undefined
  const seq = read.lastSeq + 1
  return {
    type: 'compaction',
    id: `e${seq}`,
    seq,
    at: 0,
    from: 0,
    upTo: read.lastSeq,
    keep: [],
    summary: text,
    by: PLAIN_RECORD_AUTHOR,
    frame: 'keen',
    indexDelta: {},
    messages: 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 0,
    tokensAfter: 0,
  }
}
