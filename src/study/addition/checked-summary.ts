import { messageItem } from '../../engine/context/view/item-list.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { serialize } from '../../engine/record/serialize.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import type { Entry, EntryOf, Index } from '../../model/types.ts'

/** A summary that an agent wrote itself: everything that its model sees of the earlier messages, and the facts in the log. */
export type CheckedSummary = {
  /** The summary, and the messages that were kept after it. */
  readonly shown: string
  readonly index: Index
}

/** The newest summary of a log, with the facts of everything before it; undefined if nothing was compacted. */
export function lastSummary(entries: readonly Entry[]): CheckedSummary | undefined {
  const at = entries.findLastIndex(({ type }) => type === 'compaction')
  const compaction = entries[at]
  return compaction?.type === 'compaction' ? summaryOf(entries.slice(0, at), compaction) : undefined
}

/** A summary of all these entries. The model still sees the kept ones. */
export function summaryOf(
  before: readonly Entry[],
  { summary, keep }: Pick<EntryOf<'compaction'>, 'summary' | 'keep'>,
): CheckedSummary {
  const kept = new Set(keep)
  const items = before.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
  const tail = items.filter(({ seq }) => kept.has(seq)).map(({ message }) => serialize(message, WHOLE))
  // A session that was handed over has facts from before its first message.
  const earlier = before.flatMap((entry) => (entry.type === 'compaction' ? [entry.indexDelta] : []))
  return { shown: [summary, ...tail].join('\n'), index: mergeIndexes([...earlier, indexDelta(items)]) }
}

const WHOLE = { cutCharacters: 0 }
