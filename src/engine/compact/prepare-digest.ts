import { inSlices } from '../../model/steps.ts'
import type { Context } from '../context/context.ts'
import { type CleanItems, type CompactOptions, prepare } from './compact-state.ts'
import { planFor } from './plan-for.ts'
import { fittedPlan } from './rungs/chosen-lines.ts'
import { digestRung } from './rungs/rung-digest.ts'

/**
 * Makes a digest that nobody stores, and returns the part of it that stays valid while messages are added: the items without
 * secrets. The facts of each message are in the Context already, and the record itself is rendered in a few milliseconds. Most of
 * the time of a first compaction is for code that has not run yet; after this it has.
 */
export async function prepareDigest(context: Context, options: CompactOptions): Promise<CleanItems> {
  const state = prepare(context, { ...options, reason: 'manual' })
  const plan = await inSlices(fittedPlan(state, planFor(state)), state.pause)
  if (plan.kind === 'compact') await inSlices(digestRung(state, plan), state.pause)
  if (!state.policy.redactSecrets) return new Map()
  return new Map(state.view.items.slice().map((item) => [item, state.redacted(item)]))
}
