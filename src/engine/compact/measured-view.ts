import type { Drift, Entry } from '../../model/entry.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import { uncounted, type View } from '../../model/view.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { itemTokens } from '../../tokens/count.ts'
import { type Estimator, fixedTotal } from '../../tokens/estimate/estimator.ts'
import { hiddenTokens } from '../../tokens/hidden.ts'
import { status } from '../../tokens/status.ts'
import { driftOf } from '../context/measure/drift-of.ts'
import { estimatorOf } from '../context/measure/estimator-of.ts'
import { fencedCount, openPart } from '../context/view/fenced.ts'
import type { CompactInput } from './compact-state.ts'

/** A context, how large it is, and how large it may be: enough to know whether it is time to compact. */
export type MeasuredContext = {
  readonly policy: Policy
  readonly budget: Budget
  readonly estimator: Estimator
  /** The log with what a repair and failed calls have added on the way. */
  readonly log: readonly Entry[]
  /** The part of the view that may change. */
  readonly view: View
  /** All of it: before that part may stand what a provider has compacted itself. */
  readonly whole: View
  /** The view before a repair. */
  readonly given: View
  /** How many items that are, and the tokens that the provider reads of them. */
  readonly fenced: { readonly items: number; readonly tokens: number }
  /** How full the context is: what `status()` says. */
  readonly tokens: number
  /** The same by our own estimate alone: what a rebuilt context is compared with. */
  readonly estimated: number
  /** The provider's last count, if it cannot be one of what was sent. */
  readonly doubted: number | undefined
  /** How the provider counts the context, if one has. */
  readonly drift: Drift | undefined
}

/** Measures a view as it is. `log` is the log that it is the view of. */
export function measureView(input: CompactInput, whole: View, log: readonly Entry[] = input.log): MeasuredContext {
  const policy = policyOf(input.policy)
  const estimator = input.estimator ?? estimatorOf(policy, input.log, input.model)
  const view = openPart(whole)
  const fencedItems = fencedCount(whole)
  const read = itemTokens(whole.items, 0, fencedItems, estimator) - hiddenTokens(whole.items, fencedItems, estimator)
  const fenced = { items: fencedItems, tokens: read }
  const counted = status({ ...input, view: whole, estimator })
  const { tokens, doubted } = counted
  const estimated = status({ ...input, view: uncounted(whole), estimator }).tokens
  const fixed = fixedTotal(input.fixed ?? {}, estimator) + fenced.tokens
  return {
    policy,
    budget: budgetOf(policy, input.model?.contextWindow, input.model?.maxInput, fixed),
    estimator,
    log,
    view,
    whole,
    given: whole,
    fenced,
    tokens,
    estimated,
    doubted,
    drift: driftOf(whole, counted, estimated),
  }
}
