import type { EntryOf, IndexDelta, Item, UserFact } from '../../model/types.ts'
import { isAskingTool } from './asking-tools.ts'
import { indexDelta } from './index-delta.ts'
import { storedDelta } from './stored-delta.ts'

/** The version of the rules by which a compaction's facts were found. Facts of 0.2 have no version; 0.2 took words of a tool for the user's. */
export const FACT_RULES = 2 as const

/**
 * A compaction of an earlier version, corrected by the user's words that its log really has. `items` are the messages of its
 * span and those that it kept. Facts of messages that the log no longer has stay if the user typed them or was asked.
 */
export function withCheckedWords(
  entry: EntryOf<'compaction'>,
  items: readonly Item[],
  { isFirst, redact }: { readonly isFirst: boolean; readonly redact: (text: string) => string },
): EntryOf<'compaction'> {
  if (entry.factRules !== undefined) return entry
  const checked = checkedWords(entry.indexDelta, items, redact)
  const stored = storedDelta(checked, isFirst, entry.userTokens * 8)
  return { ...entry, indexDelta: { ...entry.indexDelta, ...stored }, factRules: FACT_RULES }
}

/** The same for facts without an entry. */
export function checkedWords(
  delta: IndexDelta,
  items: readonly Item[],
  redact: (text: string) => string = (text) => text,
): IndexDelta {
  const { users = [], constraints = [] } = delta
  const found = items.length === 0 ? {} : indexDelta(items)
  const known = new Set(items.map(({ seq }) => seq))
  const foundAt = Map.groupBy(found.users ?? [], ({ seq }) => seq)
  const left = new Map(foundAt)
  const checked = users.flatMap((fact) => {
    if (!known.has(fact.seq)) return isLikely(fact) ? [fact] : []
    const words = left.get(fact.seq) ?? []
    left.delete(fact.seq)
    return words.map((one) => ({ ...one, text: redact(one.text) }))
  })
  const isUserText = (seq: number, text: string) =>
    known.has(seq)
      ? (foundAt.get(seq) ?? []).some((fact) => redact(fact.text).includes(text))
      : checked.some((fact) => fact.seq === seq && fact.text.includes(text))
  return {
    ...delta,
    ...(delta.users === undefined ? {} : { users: checked }),
    ...(delta.constraints === undefined
      ? {}
      : { constraints: constraints.filter(({ seq, text }) => isUserText(seq, text)) }),
  }
}

function isLikely({ reply, to = '' }: UserFact): boolean {
  return reply === undefined || isAskingTool(to)
}
