import { FACT_RULES } from '../../engine/extract/checked-words.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { storedDelta } from '../../engine/extract/stored-delta.ts'
import type { EntryOf, IndexDelta, MessageItem } from '../../model/types.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes as ItemSizes, tokensAt, tokensBetween } from '../../tokens/sizes.ts'

/** The known facts about a compaction that another agent has made. */
export type ForeignCompaction = Pick<EntryOf<'compaction'>, 'upTo' | 'keep' | 'reason' | 'model'> & {
  /** The summary as the agent's model sees it. */
  readonly shown: string
  /** The messages that the summary replaces. */
  readonly removed: readonly MessageItem[]
  readonly facts: IndexDelta
  /** The tokens before it, as the provider counted them; 0 when nobody knows. */
  readonly counted: number
  /**
   * The sizes of the messages that the model saw before, calibrated on the log before it. With an estimator that counts too
   * little, the difference would look like a part of the prompt.
   */
  readonly sizes: ItemSizes
}

/** The entry for it. Its frame shows the summary unchanged, so that the view has the messages that the other agent's model saw. */
export function foreignCompaction(foreign: ForeignCompaction) {
  const { upTo, keep, shown, removed, facts, reason, model } = foreign
  return {
    type: 'compaction' as const,
    from: 0,
    upTo,
    keep,
    summary: shown,
    frame: 'keen' as const,
    indexTokens: 0,
    userTokens: 0,
    indexDelta: facts,
    factRules: FACT_RULES,
    messages: removed.length,
    reason,
    rung: 'cold' as const,
    ...sizesOf(foreign),
    model,
  }
}

/** The facts of the messages that it removed from the agent's view. */
export function foreignFacts(removed: readonly MessageItem[], isFirst: boolean): IndexDelta {
  return storedDelta(indexDelta(removed), isFirst, 8_000)
}

type Sizes = Pick<EntryOf<'compaction'>, 'tokensBefore' | 'tokensAfter' | 'drift'>

/** Both sizes are of the whole request: the part of the provider's count that is not in a message stays. */
function sizesOf({ sizes, removed, shown, counted }: ForeignCompaction): Sizes {
  const estimated = tokensBetween(sizes, 0, sizes.items.length)
  const before = counted > 0 ? counted : estimated
  const saved = tokensOf(removed, sizes) - messageTokens({ role: 'user', content: shown }, sizes.estimator)
  const hidden = Math.max(0, before - estimated)
  // An estimate above the provider's count is scaled to it.
  const share = estimated > before ? before / estimated : 1
  const tokensAfter = Math.max(0, Math.round(hidden + (estimated - saved) * share))
  return { tokensBefore: before, tokensAfter, ...(counted > 0 ? { drift: { factor: 1 } } : {}) }
}

function tokensOf(removed: readonly MessageItem[], sizes: ItemSizes): number {
  const seqs = new Set(removed.map(({ seq }) => seq))
  return sizes.items.slice().reduce((sum, { seq }, at) => (seqs.has(seq) ? sum + tokensAt(sizes, at) : sum), 0)
}
