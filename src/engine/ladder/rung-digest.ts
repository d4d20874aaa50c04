import { mergeIndexes } from '../../model/log-index.ts'
import type { Refused } from '../accept.ts'
import type { CompactState } from '../compact-state.ts'
import { digest } from '../digest.ts'
import { factsIn } from '../own-facts.ts'
import type { CompactPlan } from '../plan-shape.ts'
import { type CompactionDraft, compactionDraft, removedItems } from './compaction-draft.ts'
import { floorIfOver, type Rebuilt, rebuild } from './rebuild.ts'

/** Less and less of digest and index until the context fits: the last one is little more than its frame. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.2, 0.1, 0.03, 0] as const

/** Summarises without a model. Its smallest form always fits, unless what cannot be compacted is too large. */
export function digestRung(
  state: CompactState,
  plan: CompactPlan,
): { result: Rebuilt | Refused; draft: CompactionDraft } {
  const items = removedItems(state, plan)
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  const index = mergeIndexes([...earlier, factsIn(items, state.input.facts)])
  for (const scale of SCALES) {
    const scaled = (tokens: number) => Math.floor(tokens * scale)
    const { summaryTokens, indexTokens, quoteTokens } = plan.allowances
    const allowances = { ...plan.allowances, indexTokens: scaled(indexTokens), quoteTokens: scaled(quoteTokens) }
    const summary = digest({
      items: state.view.items.slice(0, plan.cut),
      index,
      tokens: scaled(summaryTokens),
      estimator: state.estimator,
    })
    const draft = compactionDraft(state, { ...plan, allowances }, { summary, rung: 'digest' })
    const result = rebuild(state, [draft])
    if (result.ok || result.refusal === 'invalid') return { result, draft }
    if (scale === 0) return { result: floorIfOver(result), draft }
  }
  throw new Error('unreachable: the last scale returns')
}
