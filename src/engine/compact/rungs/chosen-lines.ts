import type { Steps } from '../../../model/steps.ts'
import type { CompactPlan, Plan } from '../../plan/plan-shape.ts'
import type { ValuedLine } from '../../record/lines/line.ts'
import { type ChosenLines, selectLines } from '../../record/select.ts'
import type { CompactState } from '../compact-state.ts'
import { planFor } from '../plan-for.ts'
import { spanSteps } from '../removed-span.ts'
import { recordRoom, worthOf } from './record-room.ts'

/** The thousand words that a model is asked for. */
const ASKED_TOKENS = 1_800

/** All that the record of a plan may say. `isDigest`: no model writes a narrative, so the agent's own words are among it. */
export function* linesFor(state: CompactState, plan: CompactPlan, isDigest: boolean): Steps<readonly ValuedLine[]> {
  const span = yield* spanSteps(state, plan.cut)
  const lines = span.linesFor(isDigest, plan.allowances.quoteTokens * 4)
  yield
  return lines
}

/** The lines that have a place in so much room. */
export function chosenIn(
  state: CompactState,
  plan: CompactPlan,
  lines: readonly ValuedLine[],
  room: number,
): ChosenLines {
  return selectLines(lines, room, state.estimator.text, worthOf(state, plan))
}

/** The room of the lines beside a narrative that a model is asked for. In a small window it may write less. */
export function roomBesideNarrative(state: CompactState, plan: CompactPlan): number {
  const room = recordRoom(state, plan)
  return room - Math.min(ASKED_TOKENS, plan.allowances.summaryTokens, Math.floor(room / 2))
}

/** Less room than this makes no tail longer. */
const LEAST_GAIN = 400

/** The plan, or one with a longer tail if its record cannot use its room: the span has little to say. */
export function* fittedPlan(state: CompactState, plan: Plan): Steps<Plan> {
  if (plan.kind !== 'compact' || plan.bounds === undefined || plan.squeezes.length > 0) return plan
  const { input, policy } = state
  if (policy.frame !== 'pith') return plan
  const isDigest = (input.summaryModels ?? []).length === 0 && input.warm === undefined
  const room = isDigest ? recordRoom(state, plan) : roomBesideNarrative(state, plan)
  const { tokens } = chosenIn(state, plan, yield* linesFor(state, plan, isDigest), room)
  if (room - tokens < LEAST_GAIN) return plan
  const longer = planFor(state, tokens + recordRoom(state, plan) - room)
  const isLonger = longer.kind === 'compact' && longer.cut < plan.cut && longer.squeezes.length === 0
  return isLonger ? longer : plan
}
