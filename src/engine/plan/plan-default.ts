import type { Item, View } from '../../model/view.ts'
import { itemTokens } from '../../tokens/count.ts'
import { charactersByFour, type FixedTokens, messageTokens } from '../../tokens/estimate/estimator.ts'
import { frameTokens } from '../record/frame.ts'
import { type Allowances, allowancesOf, verbatimRoom } from './allowances.ts'
import { cutByMessages } from './cut-by-messages.ts'
import { cutByTurns } from './cut-by-turns.ts'
import { keptItems } from './kept-items.ts'
import { pinnedTokens } from './pinned.ts'
import { compactAt, floorTokens, type KeepPlan, keep, type Plan, type PlanInput } from './plan-shape.ts'
import { firstWords, latestWords } from './spared-words.ts'
import { fitsWhole, type SqueezePlan, squeezePlan } from './squeeze-plan.ts'

/**
 * The plan of a policy that fits the target. It proves before any rung runs that the rebuilt request fits: the tail
 * shrinks and oversized items are squeezed until it does. Only the parts that cannot be compacted can be too large.
 */
export function planDefault(input: PlanInput): Plan {
  const { view, estimator = charactersByFour } = input
  const floor = { floorTokens: floorTokens(input), frameTokens: frameTokens(view.items.length, estimator) }
  const allowances = allowancesOf(input.budget, floor, {
    first: firstWords(view, estimator),
    latest: latestWords(view, estimator),
  })
  if (allowances.room < 0) return floorTooLarge(input)
  if (nothingNew(view) && !overTarget(input)) return keep('nothing-new')
  const end = view.items.length
  const cut = cutWithin(input, verbatimRoom(allowances))
  const plans = worthCutting(input, cut)
    ? [() => withSqueezes(input, cut, allowances), () => withSqueezes(input, end, allowances), () => squeezeOnly(input)]
    : [() => squeezeOnly(input), () => withSqueezes(input, end, allowances)]
  for (const plan of plans) {
    const planned = plan()
    if (planned !== undefined) return planned
  }
  return floorTooLarge(input)
}

/** True when this cut removes enough messages to be worth a summary. */
function worthCutting({ view, policy }: PlanInput, cut: number): boolean {
  return cut - keptItems(view, cut, policy).length >= policy.minSpanMessages
}

/** A plan with this cut, if the verbatim items around it fit, squeezed if need be. */
function withSqueezes(input: PlanInput, cut: number, allowances: Allowances): Plan | undefined {
  const { view, policy, estimator = charactersByFour } = input
  const kept = keptItems(view, cut, policy)
  if (cut - kept.length < policy.minSpanMessages) return undefined
  const room = verbatimRoom(allowances)
  const { userTokens } = allowances
  if (fitsWhole({ items: view.items, cut, kept }, room, userTokens, estimator)) return compactAt(input, cut, allowances)
  const fit = fitted(input, [...kept, ...view.items.slice(cut)], room, userTokens)
  return fit === undefined ? undefined : compactAt(input, cut, allowances, fit)
}

function fitted(
  { policy, estimator = charactersByFour }: PlanInput,
  items: readonly Item[],
  room: number,
  userTokens: number,
): SqueezePlan | undefined {
  const fit = squeezePlan(items, room, userTokens, estimator)
  return fit !== undefined && fit.squeezes.length > 0 && !policy.rungs.includes('squeeze') ? undefined : fit
}

/** A plan for a view that has nothing to summarise but does not fit: single items are shortened. */
function squeezeOnly(input: PlanInput): Plan | undefined {
  const { view, budget, estimator = charactersByFour } = input
  if (!overTarget(input) || budget.target === undefined) return keep('too-short')
  const items = view.items.slice()
  const messages = items.filter((item) => item.kind === 'message')
  const summaries = items.filter((item) => item.kind === 'summary')
  const taken = summaries.reduce((sum, item) => sum + messageTokens(item.message, estimator), floorTokens(input))
  const fit = fitted(input, messages, budget.target - taken, budget.user ?? Math.floor(budget.target / 4))
  if (fit === undefined) return undefined
  return fit.squeezes.length === 0 ? keep('too-short') : { kind: 'squeeze', squeezes: fit.squeezes }
}

function overTarget(input: PlanInput): boolean {
  const { view, budget, estimator = charactersByFour } = input
  const whole = floorTokens(input) + itemTokens(view.items, 0, view.items.length, estimator)
  return budget.target !== undefined && whole > budget.target
}

function cutWithin(input: PlanInput, room: number): number {
  const { view, policy, budget, reason, estimator = charactersByFour, cutRules } = input
  const end = view.items.length
  const whole = itemTokens(view.items, 0, end, estimator)
  // A user who asks wants to see an effect, and a provider that refused has counted more tokens than we have.
  const wanted =
    reason === 'manual' || reason === 'overflow' ? Math.min(budget.tail, Math.floor(whole / 4)) : budget.tail
  const free = Math.max(0, room - latestWords(view, estimator) - pinnedTokens(view, estimator))
  if (policy.keepMessages !== undefined) {
    const cut = cutByMessages(view, policy.keepMessages, policy.minSpanMessages, cutRules)
    if (typeof cut === 'number' && itemTokens(view.items, cut, end, estimator) <= room) return cut
  }
  return cutByTurns(view, Math.min(wanted, free), estimator, cutRules)
}

function nothingNew(view: View): boolean {
  const summary = view.items.at(0)
  const last = view.items.at(view.items.length - 1)?.seq ?? 0
  if (summary?.kind === 'summary' && last <= summary.seq) return true
  return (view.settledBy === 'compaction' || view.settledBy === 'squeeze') && last <= view.settled
}

/** The plan that changes nothing and names the largest part that cannot be compacted. */
export function floorTooLarge(input: PlanInput): KeepPlan {
  const { view, estimator = charactersByFour } = input
  const { system, tools, instructions, memory } = { ...NOTHING, ...input.fixed }
  const parts: readonly (readonly [string, number])[] = [
    ['the system prompt', system],
    ['the tool schemas', tools],
    ['the instructions', instructions],
    ['the memory', memory],
    ['the pending input', input.pendingTokens ?? 0],
    ['the pinned messages', pinnedTokens(view, estimator)],
    ['the latest message', latestWords(view, estimator)],
  ]
  const [largest] = parts.toSorted(([, a], [, b]) => b - a)
  return { kind: 'keep', reason: 'floor-too-large', largest: largest?.[0] }
}

const NOTHING: FixedTokens = { system: 0, tools: 0, instructions: 0, memory: 0 }
