import type { Index, IndexDelta } from '../../model/facts/log-index.ts'
import { mergeIndexes } from '../../model/facts/merge-indexes.ts'
import { mergeStatements } from '../../model/facts/statement-fact.ts'
import type { Policy } from '../../model/policy/policy.ts'
import type { Item, View } from '../../model/view.ts'
import { type ReplacedRange, replacedAt } from '../context/view/replaced-range.ts'
import { type FactFinder, factsBesideStatements } from '../extract/index-delta.ts'
import { noteSaidFacts } from '../extract/said-facts.ts'
import { statementsIn } from '../extract/statements.ts'
import { keptItems } from '../plan/kept-items.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import type { CompactState } from './compact-state.ts'

/** The items that leave a view, and the facts that they add to the index. */
export type RemovedSpan = {
  readonly range: ReplacedRange
  readonly items: readonly Item[]
  /** The items before the cut that stay verbatim. */
  readonly kept: readonly Item[]
  readonly facts: IndexDelta
  /** These facts and those of the summaries among the items. */
  readonly index: Index
  /** What the agent said in them: a digest tells it, a summary of a model does so in its own words. */
  readonly said: Pick<IndexDelta, 'statements'>
}

/** Returns what leaves the view at a cut. Every rung asks, so the facts of the last cut are remembered. */
export function removing(
  view: View,
  policy: Policy,
  own?: FactFinder,
  /** Gives an item as it may be told. */
  tell: (item: Item) => Item = (item) => item,
): (cut: number) => RemovedSpan {
  let known: { readonly cut: number; readonly span: RemovedSpan } | undefined
  return (cut) => {
    if (known?.cut !== cut) known = { cut, span: removedAt(view, cut, policy, tell, own) }
    return known.span
  }
}

function removedAt(
  view: View,
  cut: number,
  policy: Policy,
  tell: (item: Item) => Item,
  own: FactFinder | undefined,
): RemovedSpan {
  const kept = keptItems(view, cut, policy)
  const replaced = replacedAt(view, cut, kept)
  const items = replaced.items.map(tell)
  const facts = factsBesideStatements(items, own)
  let index: Index | undefined
  let said: RemovedSpan['said'] | undefined
  return {
    range: replaced.range,
    items,
    kept,
    facts,
    get index() {
      index ??= mergeIndexes([...items.flatMap((item) => (item.kind === 'summary' ? [item.index] : [])), facts])
      return index
    },
    get said() {
      said ??= saidIn(items, facts)
      return said
    },
  }
}

function saidIn(items: readonly Item[], { statements: others = [] }: IndexDelta): RemovedSpan['said'] {
  const statements = [...statementsIn(items), ...others]
  return statements.length === 0 ? {} : { statements }
}

/** The index of a span with what the agent said in it. */
export function indexWithSaid({ index, said: { statements = [] } }: RemovedSpan): Index {
  if (statements.length === 0) return index
  return { ...index, statements: mergeStatements([...(index.statements ?? []), ...statements]) }
}

/** So many items are looked at without a pause. Nearly all spans have fewer. */
const AT_ONCE = 2_000

/**
 * Finds the facts of a very long span piece by piece. Without a pause nothing else of the process runs meanwhile, and nobody
 * could cancel. `go` is asked after each pause, and throws to cancel.
 */
export async function noteSpan(state: CompactState, { cut }: CompactPlan, go: () => void): Promise<void> {
  const { pause } = state.input
  if (cut <= AT_ONCE || pause === undefined) return
  for (let from = 0; from < cut; from += AT_ONCE) {
    for (const item of state.view.items.slice(from, Math.min(cut, from + AT_ONCE))) {
      const told = state.tell(item)
      if (told.kind === 'message') noteSaidFacts(told)
    }
    await pause()
    go()
  }
  state.removed(cut)
  await pause()
  go()
}
