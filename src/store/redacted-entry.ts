import { redactMessage } from '../engine/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../engine/view/summary-item.ts'
import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { mergeIndexes, withoutEntries } from '../model/log-index.ts'

/** The entry without its text. Only a redaction overwrites a row of the store. */
export function redactedEntry(entry: Entry): Entry {
  switch (entry.type) {
    case 'message': {
      const { files: _, shown: __, ...rest } = entry
      return { ...rest, message: redactMessage(entry.message) }
    }
    case 'compaction': {
      const { flagged: _, focus, ...rest } = entry
      return { ...rest, summary: REDACTED, indexDelta: {}, focus: focus === undefined ? undefined : REDACTED }
    }
    case 'settings': {
      const { title, policy, ...rest } = entry
      return {
        ...rest,
        title: title === undefined ? undefined : REDACTED,
        policy: policy?.prompt === undefined ? policy : { ...policy, prompt: REDACTED },
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

/** A compaction without the words and facts of a redacted entry; the same object when it has none. */
export function withoutFactsOf(entry: Entry, seq: Seq): Entry {
  if (entry.type !== 'compaction') return entry
  const { indexDelta } = entry
  const facts = Object.values(indexDelta).flatMap((kind) =>
    Array.isArray(kind) ? (kind as readonly { seq: Seq }[]) : [],
  )
  const calls = indexDelta.errors?.some((error) => error.call === seq) === true
  // The words of the summary may tell of a redacted entry anywhere in its range.
  const covers = entry.from <= seq && seq <= entry.upTo && entry.summary !== REDACTED_SUMMARY
  if (!covers && !calls && !facts.some((fact) => fact.seq === seq)) return entry
  return {
    ...entry,
    ...(covers ? { summary: REDACTED_SUMMARY } : {}),
    indexDelta: withoutEntries(mergeIndexes([indexDelta]), new Set([seq])),
  }
}

const REDACTED = '[redacted by the user]'
