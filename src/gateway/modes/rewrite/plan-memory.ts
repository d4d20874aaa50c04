import type { Seq } from '../../../model/types.ts'
import { RecentMap } from '../../../model/values/recent-map.ts'
import type { SessionId } from '../../../store/store.ts'
import type { ChainStep } from '../../faces/face.ts'
import type { RewritePlan } from './rewrite-plan.ts'

/** A plan, and the view that it was made for. Until that view changes, every later request of the conversation has the same plan. */
export type KeptPlan = { readonly plan: RewritePlan; readonly session: SessionId; readonly revision: Seq }

const MOST_PLANS = 200

/**
 * The last plans, by the value of the conversation that each was for. When the store cannot be read, the plan of an earlier
 * request is used again: the client's whole history may not fit the window any more.
 */
export class PlanMemory {
  readonly #plans = new RecentMap<string, KeptPlan>(MOST_PLANS)

  keep(steps: readonly ChainStep[], plan: KeptPlan): void {
    const value = steps.at(-1)?.value
    if (value !== undefined) this.#plans.set(value, plan)
  }

  /** The plan of the longest earlier request that these steps continue. */
  find(steps: readonly ChainStep[]): KeptPlan | undefined {
    const last = steps.findLast(({ value }) => this.#plans.has(value))
    return last === undefined ? undefined : this.#plans.get(last.value)
  }
}
