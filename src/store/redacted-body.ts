import { redactMessage } from '../engine/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../engine/view/summary-item.ts'
import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { mergeIndexes, withoutEntries } from '../model/log-index.ts'

/** The entry without what it said, for the one case in which the store overwrites a row. */
export function redactedEntry(entry: Entry): Entry {
  switch (entry.type) {
    case 'message': {
      const { files: _, shown: __, ...rest } = entry
      return { ...rest, message: redactMessage(entry.message) }
    }
    case 'compaction': {
      const { flagged: _, ...rest } = entry
      return { ...rest, summary: REDACTED, indexDelta: {}, ...(entry.focus === undefined ? {} : { focus: REDACTED }) }
    }
    case 'settings': {
      const { title, policy, ...rest } = entry
      return {
        ...rest,
        ...(title === undefined ? {} : { title: REDACTED }),
        ...(policy === undefined
          ? {}
          : { policy: policy.prompt === undefined ? policy : { ...policy, prompt: REDACTED } }),
      }
    }
    case 'attempt':
      return { ...entry, reason: REDACTED }
    case 'repair':
      return { ...entry, changes: entry.changes.map((change) => ({ ...change, why: REDACTED })) }
    case 'edit':
      return { ...entry, summary: REDACTED }
    case 'todo':
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: REDACTED })) }
    default:
      return entry
  }
}

/** A compaction without the facts that came from a redacted entry; the same entry when it has none. */
export function withoutFactsOf(entry: Entry, seq: Seq): Entry {
  if (entry.type !== 'compaction') return entry
  const { indexDelta } = entry
  const facts = Object.values(indexDelta).flatMap((kind) =>
    Array.isArray(kind) ? (kind as readonly { seq: Seq }[]) : [],
  )
  const calls = indexDelta.errors?.some((error) => error.call === seq) === true
  // Its words may tell of what was redacted, wherever they stand.
  const covers = entry.from <= seq && seq <= entry.upTo && entry.summary !== REDACTED_SUMMARY
  if (!covers && !calls && !facts.some((fact) => fact.seq === seq)) return entry
  return {
    ...entry,
    ...(covers ? { summary: REDACTED_SUMMARY } : {}),
    indexDelta: withoutEntries(mergeIndexes([indexDelta]), new Set([seq])),
  }
}

const REDACTED = '[redacted by the user]'
