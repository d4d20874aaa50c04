import { expect } from 'vitest'
import type { CompactInput } from '../../src/engine/compact/compact.ts'
import { estimatorOf } from '../../src/engine/context/measure/calibration.ts'
import { excessOf } from '../../src/engine/plan/bounds.ts'
import type { OverFacts } from '../../src/engine/report/change-text.ts'
import type { CompactResult } from '../../src/model/compact-result.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import { uncounted } from '../../src/model/types.ts'
import { type Budget, budgetOf } from '../../src/tokens/budget.ts'
import { fixedTotal, messagesTokens } from '../../src/tokens/estimate/estimator.ts'
import { sizesOf, unreadOf } from '../../src/tokens/sizes.ts'
import { status } from '../../src/tokens/status.ts'

type Bounded = Pick<CompactInput, 'policy' | 'model' | 'fixed' | 'pending' | 'estimator'>

/** Less the unread a result is within the target, all of it within the limit; or it says which of them it exceeds. */
export function expectWithinBounds(done: CompactResult, input: Bounded, of: string = done.reason): void {
  expect(excessIn(done, input), of).toBeUndefined()
}

/** The bound of its budget that a result exceeds, if any. */
export function excessIn(done: CompactResult, input: Bounded): OverFacts | undefined {
  const { target = 0, limit = 0 } = budgetFor(input)
  const estimator = input.estimator ?? estimatorOf(policyOf(input.policy))
  // A compaction is judged by our own count, whatever the provider's says.
  const { tokens } = status({ ...input, view: uncounted(done.view), estimator })
  return excessOf(tokens, unreadAfter(done, input), { target, limit })
}

/** The budget that a compaction with this input has. */
export function budgetFor({ policy, model, fixed = {}, estimator }: Bounded): Budget {
  const whole = policyOf(policy)
  const measure = estimator ?? estimatorOf(whole)
  return budgetOf(whole, model?.contextWindow, model?.maxInput, fixedTotal(fixed, measure))
}

/** The tokens of the result that the model has not read yet. */
export function unreadAfter({ view }: CompactResult, { policy, pending = [], estimator }: Bounded): number {
  const measure = estimator ?? estimatorOf(policyOf(policy))
  return unreadOf(sizesOf(view.items, measure), messagesTokens(pending, measure)).tokens
}
