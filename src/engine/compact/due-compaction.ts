import type { SkipReason } from '../../model/compact-result.ts'
import type { Context } from '../context/context.ts'
import { keepText } from '../report/skip.ts'
import { planFor } from './compact.ts'
import { type CompactOptions, type CompactState, prepare } from './compact-state.ts'

/** Why the view stays as it is. */
export type KeepResult = {
  readonly kind: 'keep'
  readonly skip: SkipReason
  readonly reason: string
  readonly tokens: number
}

/** Whether a compaction would do something now. Unlike a preview, it renders no facts and estimates no price. */
export function dueCompaction(context: Context, input: CompactOptions): KeepResult | { readonly kind: 'compact' } {
  return dueWith(prepare(context, input))
}

/** The same for a context that is prepared already. */
export function dueWith(state: CompactState): KeepResult | { readonly kind: 'compact' } {
  const plan = planFor(state)
  if (plan.kind !== 'keep') return { kind: 'compact' }
  return { kind: 'keep', skip: plan.reason, reason: keepText(plan), tokens: state.tokens }
}
