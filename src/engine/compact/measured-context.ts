import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import { sparingWords } from '../plan/spared-words.ts'
import { appended } from '../view/log.ts'
import { plainlyValidView } from '../view/plainly-valid.ts'
import { repairDraft } from '../view/repair.ts'
import { viewOf } from '../view/view-of.ts'
import type { CompactInput } from './compact-state.ts'
import { type MeasuredContext, measureView } from './measured-view.ts'

/** A history that no provider would take is repaired first; the repair is an entry like any other. */
export function measureContext(input: CompactInput): MeasuredContext {
  const stored = input.view ?? viewOf(input.log)
  const isValid = plainlyValidView(stored.items)
  const repair = isValid ? undefined : repairDraft(stored.items.slice(), { pending: 'allowed' })
  const log = repair === undefined ? input.log : appended(input.log, [repair], input)
  const measured = { ...measureView(input, repair === undefined ? stored : viewOf(log), log), given: stored }
  if (input.sparesWords !== true) return measured
  const { budget, view, fenced, estimator, estimated } = measured
  const fixed = fixedTotal(input.fixed ?? {}, estimator) + fenced.tokens
  return { ...measured, budget: sparingWords(budget, view, fixed, estimator, estimated) }
}
