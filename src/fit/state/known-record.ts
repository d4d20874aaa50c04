import { EMPTY_FOLD_CACHE, plainItem } from '../../engine/context/view/plain-view.ts'
import { itemWithoutIndex } from '../../engine/context/view/summary-item.ts'
import { FACT_RULES, withCheckedWords } from '../../engine/extract/stored-delta.ts'
import { recordIn } from '../../engine/record/read/read-record.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { type EntryOf, textOf } from '../../model/types.ts'
import { type Conversation, messageEntry } from './conversation.ts'

/**
 * A conversation with its record read. The fold uses the record as it was sent, because rendering it from fewer facts would give
 * another text. A record at the front of a list without a state becomes a compaction again. If an earlier version wrote the
 * record, the words that it attributes to the user are checked.
 */
export function knownRecord(opened: Conversation): Conversation {
  const conversation = withCheckedRecord(withFrontRecord(opened))
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
  const read = recordIn(text)
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
    frame: 'keen',
    indexTokens: 0,
    userTokens: 0,
    indexDelta: read.facts,
    factRules: FACT_RULES,
    messages: 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 0,
    tokensAfter: 0,
  }
}

/** A state of an earlier version may attribute words to the user that the messages do not have. Then its record is rendered again. */
function withCheckedRecord(conversation: Conversation): Conversation {
  const { messages, seqs, log } = conversation
  const at = log.findLastIndex((one) => one.type === 'compaction')
  const entry = log[at]
  if (entry?.type !== 'compaction' || entry.factRules !== undefined) return conversation
  const items = messages.flatMap((message, i) => {
    const seq = seqs[i] ?? 0
    return seq === 0 || seq > entry.upTo ? [] : [plainItem(messageEntry(message, seq))]
  })
  const checked = withCheckedWords(entry, items, { isFirst: true, redact: (text) => text })
  const isTrue = JSON.stringify(checked.indexDelta.users) === JSON.stringify(entry.indexDelta.users)
  return { ...conversation, log: log.with(at, checked), ...(isTrue ? {} : { record: undefined }) }
}
