import { mergeIndexes } from '../../model/facts/merge-indexes.ts'
import { itemWithoutIndex, rememberItem } from '../view/summary-item.ts'
import type { Conversation } from './conversation.ts'

/** Tells the fold how the record of a conversation was sent: rendered from fewer facts it would be another text. */
export function knownRecord<C extends Conversation>(conversation: C): C {
  const { log, record } = conversation
  const entry = log.findLast((one) => one.type === 'compaction')
  if (entry === undefined || record === undefined) return conversation
  const live = { entry, place: entry.upTo, text: entry.summary, sources: [entry], redacted: [] }
  rememberItem(live, { ...itemWithoutIndex(live, record), index: mergeIndexes([entry.indexDelta]) })
  return conversation
}
