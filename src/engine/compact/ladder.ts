import type { Rung } from '../../model/policy/policy.ts'
import { inSlices, type Steps } from '../../model/steps.ts'
import type { EntryDraft } from '../../model/types.ts'
import { maskCandidates, maskOf } from '../plan/mask.ts'
import type { CompactPlan, Plan } from '../plan/plan-shape.ts'
import type { Refusal } from './ask/accept-summary.ts'
import { type CompactState, cancelIfAborted, noted, unreadIn } from './compact-state.ts'
import { type CompactionDraft, sizesBefore } from './compaction-draft.ts'
import { factsText } from './estimate-cost.ts'
import { planFor } from './plan-for.ts'
import { floorIfOver, type RebuiltContext, rebuild } from './rebuild.ts'
import { digestRung } from './rungs/rung-digest.ts'
import { coldRung, type Expense, type ModelRungResult, warmRung } from './rungs/rung-model.ts'

/** The state of a climb: the last rung tried, its entry, the expense so far, and its context or refusal. */
export type Climb = {
  readonly state: CompactState
  readonly rung: Rung
  readonly draft?: CompactionDraft
  readonly model?: string
  readonly spent: Expense
  /** The facts that models are given, once they are rendered. */
  readonly facts?: string
  /** Why the answers of the models were not accepted. */
  readonly refusal?: string
  readonly result: RebuiltContext | Refusal
}

/** A plan that changes something. */
type ActingPlan = Exclude<Plan, { kind: 'keep' }>

/** Tries the rungs that the policy allows, from the top. If one is refused, the next is tried, and the log says why. */
export async function climb(start: CompactState, plan: ActingPlan, facts?: string): Promise<Climb> {
  let climbed: Climb = { state: start, rung: start.policy.rungs[0] ?? 'cold', spent: {}, facts, result: NO_MODEL }
  let failure: string | undefined
  for (const rung of start.policy.rungs) {
    if (!applies(rung, start, plan)) continue
    // The failures of all models together are one entry, because the breaker counts these entries.
    if (failure !== undefined && !asksModel(rung)) {
      climbed = { ...climbed, state: noted(climbed.state, failed(failure, climbed)), refusal: failure }
      failure = undefined
    }
    // Also for rungs that ask no model, and after the last text of a model.
    cancelIfAborted(start.input.signal)
    climbed = await tryRung(rung, climbed, plan)
    await start.pause?.()
    cancelIfAborted(start.input.signal)
    if (climbed.result.ok) return climbed
    if (asksModel(rung) && climbed.result.refusal !== 'not-asked') failure = climbed.result.reason
  }
  return failure === undefined ? climbed : { ...climbed, state: noted(climbed.state, failed(failure, climbed)) }
}

function asksModel(rung: Rung): boolean {
  return rung === 'warm' || rung === 'cold'
}

/** The failure with its cost: a failed call has to be paid for, too. */
function failed(reason: string, { spent, model }: Climb): EntryDraft {
  return { type: 'attempt', outcome: 'failed', reason, model, ...spent }
}

const NO_MODEL: Refusal = { ok: false, refusal: 'failed', reason: 'no model is configured' }

function applies(rung: Rung, { input, reason, breakerState }: CompactState, plan: Plan): boolean {
  if (plan.kind !== 'compact') return rung === 'squeeze'
  // After repeated failures no model is asked, unless the user wants a compaction now.
  const rest = breakerState === 'open' && reason !== 'manual'
  switch (rung) {
    case 'mask':
      // The user asked for a compaction, and masking is not one.
      return reason !== 'manual'
    case 'warm':
      return input.warm !== undefined && !rest
    case 'cold':
      return !rest && (input.summaryModels ?? []).length > 0
    case 'digest':
      return true
    case 'squeeze':
      // A compaction squeezes oversized items itself.
      return false
  }
}

async function tryRung(rung: Rung, climbed: Climb, plan: ActingPlan): Promise<Climb> {
  const { state } = climbed
  if (plan.kind === 'squeeze') {
    start(state, rung)
    const entry: EntryDraft = { type: 'squeeze', squeezes: [...plan.squeezes], ...sizesBefore(state) }
    const result = await inSlices(rebuild(state, [entry], plan.bounds), state.pause)
    return ended({ ...climbed, rung, result: floorIfOver(result) })
  }
  switch (rung) {
    case 'mask':
      start(state, rung)
      return ended({ ...climbed, rung, draft: undefined, result: await inSlices(maskRung(state), state.pause) })
    case 'warm': {
      const model = state.input.warm?.name
      start(state, rung, model)
      const facts = await factsOf(climbed, plan)
      return afterModel({ ...climbed, rung, model, facts }, await warmRung(state, plan, climbed.spent, facts))
    }
    case 'digest': {
      start(state, rung)
      const made = await inSlices(digestRung(state, plan, climbed.refusal), state.pause)
      return ended({ ...climbed, rung, model: undefined, ...made })
    }
    case 'cold':
      return tryModels(climbed, plan)
    case 'squeeze':
      // Only a plan of squeezes gets here, and that is handled above.
      return climbed
  }
}

/** Asks one model after the other until a summary is accepted. */
async function tryModels(climbed: Climb, plan: CompactPlan): Promise<Climb> {
  let last: Climb = { ...climbed, rung: 'cold', result: NO_MODEL }
  for (const model of climbed.state.input.summaryModels ?? []) {
    start(last.state, 'cold', model.name)
    const facts = await factsOf(last, plan)
    const asked = await coldRung(last.state, plan, model, last.spent, facts)
    last = afterModel({ ...last, model: model.name, facts }, asked)
    if (last.result.ok) return last
  }
  return last
}

async function factsOf({ state, facts }: Climb, plan: CompactPlan): Promise<string | undefined> {
  return facts ?? inSlices(factsText(state, plan), state.pause)
}

function afterModel(climbed: Climb, { result, spent, draft }: ModelRungResult): Climb {
  return ended({ ...climbed, result, spent, draft })
}

function start({ input }: CompactState, rung: Rung, model?: string): void {
  input.onEvent?.({ type: 'rung', rung, model })
}

function ended(climbed: Climb): Climb {
  const { state, rung, model, result } = climbed
  if (!result.ok) state.input.onEvent?.({ type: 'refused', rung, model, reason: result.reason })
  else {
    const { tokensAfter, leftOut } = result
    const { cost } = climbed.spent
    state.input.onEvent?.({ type: 'done', rung, model, tokensBefore: state.tokens, tokensAfter, cost, leftOut })
  }
  return climbed
}

/** A token of a name has about three characters. Batches add up, so each gets less room than a record. */
const NAME_CHARACTERS = 2

/**
 * Masks old tool output in one batch, if that alone brings the context down to the target. If possible the batch also makes
 * room for the unread, which the model will have read by the next time. Otherwise every large step would break the cache again.
 */
export function* maskRung(state: CompactState): Steps<RebuiltContext | Refusal> {
  // There is no record to make room for, so the tail may have all of it. Behind a shorter tail is more to mask.
  const masked = yield* maskBefore(state, planFor(state, 0))
  return masked.ok ? masked : yield* maskBefore(state, planFor(state))
}

function* maskBefore(state: CompactState, planned: Plan): Steps<RebuiltContext | Refusal> {
  if (planned.kind !== 'compact') return { ok: false, refusal: 'not-smaller', reason: 'there is nothing to mask' }
  const { cut, bounds } = planned
  const { view, estimator, sizes, input, estimated } = state
  const unread = unreadIn(state)
  const needTokens = estimated - unread.tokens - (bounds?.target ?? estimated)
  if (needTokens <= 0) return { ok: false, refusal: 'not-smaller', reason: 'the estimate is under the target already' }
  const { cacheCold } = input
  const nameCharacters = state.budget.names * NAME_CHARACTERS
  const masking = {
    view,
    cut,
    unreadFrom: unread.from,
    takesAllOutput: true,
    nameCharacters,
    lineCharacters: nameCharacters,
    prices: state.model.prices,
    estimator,
    sizes,
    cacheCold,
  }
  const candidates = yield* maskCandidates(masking)
  const forAll = maskOf(candidates, { ...masking, needTokens: needTokens + unread.tokens })
  const plan = forAll.kind === 'mask' || unread.tokens === 0 ? forAll : maskOf(candidates, { ...masking, needTokens })
  if (plan.kind === 'refused') return { ok: false, refusal: 'not-smaller', reason: plan.reason }
  const entry: EntryDraft = {
    type: 'mask',
    targets: [...plan.targets],
    ...(nameCharacters === 0 ? {} : { nameCharacters, lineCharacters: nameCharacters }),
    ...sizesBefore(state),
  }
  yield
  return yield* rebuild(state, [entry], bounds)
}
