import type { SkipReason } from '../../model/compact-result.ts'
import { PithError } from '../../model/problems/errors.ts'
import { isUserMessage, type View } from '../../model/types.ts'
import { charactersByFour } from '../../tokens/estimate/estimator.ts'
import { type Sizes, sizesOf, tokensBetween, unreadOf, unscaledTokensAt } from '../../tokens/sizes.ts'
import { type CutRule, firstIndex, legalAtOrAfter, legalCuts, withCutRules } from './cut-rules.ts'
import { endOfWork } from './ends-of-work.ts'
import { keptItems } from './kept-items.ts'
import { cutByMessages, planDefault } from './plan-default.ts'
import {
  allowancesOf,
  compactAt,
  fixedSum,
  keep,
  type Plan,
  type PlanInput,
  type PlanState,
  removableCount,
} from './plan-shape.ts'

export type { CompactPlan, Plan, PlanInput } from './plan-shape.ts'

/** Decides whether to compact and where to cut, without doing anything. After one more message a plan costs only that message, not the whole view. */
export function plan(given: PlanInput): Plan {
  checkCaller(given)
  const { view, policy, estimator = charactersByFour } = given
  const end = removableCount(given)
  const input: PlanState = { ...withinEnd(given, end), estimator, sizes: given.sizes ?? sizesOf(view.items, estimator) }
  if (isTooShort(input)) return keep(end === 0 && policy.keepMessages === undefined ? 'empty' : 'too-short')
  const notNow = input.reason === 'manual' ? undefined : whyNotNow(input)
  if (notNow !== undefined) return keep(notNow)
  if (view.items.openCalls(end) > 0) return keep('pending-tool-calls')
  if (policy.fitTarget) return planDefault(input)
  const cut = cutOf(input)
  if (typeof cut === 'string') return keep(cut)
  if (cut < policy.minSpanMessages) return keep('too-short')
  if (takesOutNoMessage(input, cut) && !cannotBeSent(input)) return keep('nothing-to-gain')
  // Without a target to fit, the summariser gets its whole allowance.
  return compactAt(input, cut, allowancesOf({ ...input.budget, target: undefined }))
}

function withinEnd(input: PlanInput, end: number): PlanInput {
  if (end === input.view.items.length) return input
  return { ...input, cutRules: [...(input.cutRules ?? []), () => (index) => index <= end] }
}

/** A caller without type checks gets one clear message instead of an error from deep inside. */
function checkCaller(input: Partial<PlanInput>): void {
  const required = ['view', 'policy', 'budget', 'reason', 'tokens'] as const
  const missing = required.filter((name) => input[name] === undefined)
  if (missing.length === 0) return
  const hint = missing.includes('budget') ? ': budgetOf(policy, window) makes a budget' : ''
  throw new PithError('bad-argument', `plan() needs ${missing.join(', ')}${hint}`)
}

function whyNotNow(input: PlanState): SkipReason | undefined {
  const { policy, budget, tokens, breaker, reason } = input
  if (policy.mode === 'off') return 'automatic-off'
  // A policy with a digest can compact without the model that failed.
  if (breaker === 'open' && !policy.rungs.includes('digest')) return 'breaker-open'
  if (reason === 'overflow') return undefined
  if (budget.trigger === undefined) return 'window-unknown'
  const read = tokens - sparedTokens(input)
  if (read < triggerNow(input, budget.trigger) && !isOverLimit(input) && !isAtEndOfWork(input, read))
    return 'under-trigger'
  return waitsForGrowth(input) ? 'not-grown' : undefined
}

/** The unread does not trigger a policy that fits its target. Other policies count everything, like the systems that they come from. */
function sparedTokens({ policy, pendingTokens, sizes }: PlanState): number {
  return policy.fitTarget ? unreadOf(sizes, pendingTokens).tokens : 0
}

function isOverLimit({ policy, budget, tokens }: PlanInput): boolean {
  return policy.fitTarget && budget.limit !== undefined && tokens > budget.limit
}

/** A setting that keeps more messages than there are is respected as long as the context may stay as it is. */
function isTooShort(input: PlanState): boolean {
  const { view, policy, budget, reason } = input
  const end = view.items.length
  // A tail by tokens always has the last message (T6). Without a tail the model would have nothing to answer.
  if (policy.keepMessages === undefined) return end - (budget.tail === 0 ? incoming(input) : 0) < 1
  if (end - incoming(input) >= policy.keepMessages + policy.minSpanMessages) return false
  if (!policy.fitTarget || end === 0) return true
  return reason === 'manual' ? !isOverLimit(input) : whyNotNow(input) !== undefined
}

/** With a cold cache the whole prompt is billed again anyway, so compact earlier. Not in mode `ask`: that is not a reason to interrupt the user. */
function triggerNow({ policy, budget, cacheCold }: PlanInput, trigger: number): number {
  return cacheCold === true && policy.mode === 'auto' ? (budget.coldTrigger ?? trigger) : trigger
}

/** From a share of the trigger on, a compaction is made if a piece of work has just ended: it interrupts nothing then. */
function isAtEndOfWork({ view, policy, budget: { endOfWorkTrigger } }: PlanInput, read: number): boolean {
  if (policy.mode !== 'auto' || endOfWorkTrigger === undefined || read < endOfWorkTrigger) return false
  return endOfWork(view.items) !== undefined
}

/**
 * After a change the context has to grow before the next automatic compaction, even if the provider counts more than we
 * do. After an undo this applies under every policy, because otherwise the undo would be reversed at once. It ends at the ceiling.
 */
function waitsForGrowth(input: PlanState): boolean {
  const { view, budget, tokens } = input
  if (view.settled === 0) return false
  const undone = view.settledBy === 'undo'
  const ceiling = budget.ceiling ?? Number.POSITIVE_INFINITY
  // After a change of our own only our own count decides: the provider's may always be higher.
  if ((undone ? tokens : estimatedTokens(input)) >= ceiling) return false
  const afterUndo = undone ? Math.floor((budget.window ?? budget.trigger ?? 0) / 10) : 0
  const needed = Math.max(budget.growth, afterUndo)
  return needed > 0 && grownTokens(input) < needed
}

function estimatedTokens({ view, fixed, pendingTokens = 0, sizes }: PlanState): number {
  return fixedSum({ fixed }) + tokensBetween(sizes, 0, view.items.length) + pendingTokens
}

/** The tokens that the model has read since the last change of the view. Over the limit, the unread counts, too. */
function grownTokens(input: PlanState): number {
  const { view, policy, sizes } = input
  const from = settledCount(view)
  if (!policy.fitTarget) return tokensBetween(sizes, from, view.items.length)
  const readBefore = view.items.unread(from)
  const end = isOverLimit(input) ? view.items.length : Math.max(readBefore, view.items.unread())
  return tokensBetween(sizes, readBefore, end)
}

/** The number of items at the last change. Newer items are at the end, in the order of their seq. */
function settledCount({ items, settled }: View): number {
  return firstIndex(0, items.length, (index) => (items.at(index)?.seq ?? 0) > settled)
}

function cutOf(input: PlanState): number | SkipReason {
  const { view, policy, budget, reason, sizes, cutRules } = input
  if (policy.keepMessages !== undefined)
    return cutByMessages(view, policy.keepMessages + incoming(input), policy.minSpanMessages, cutRules)
  if (budget.tail === 0) return removableCount(input)
  const cut = cutByWalk(view, budget.tail, sizes, cutRules)
  return typeof cut === 'string' && reason === 'manual' ? forcedCut(view, cutRules) : cut
}

/** The number of messages at the end that the model is about to answer. An automatic compaction keeps the full number of older ones in addition (A2). */
function incoming({ view: { items }, policy, reason }: PlanInput): number {
  if (reason === 'manual' || policy.fitTarget) return 0
  let count = 0
  while (isUserMessage(items.at(items.length - 1 - count))) count++
  return count
}

/** True if the cut would remove nothing but an earlier summary: a model would be paid to summarise its own summary. */
function takesOutNoMessage({ view, policy }: PlanInput, cut: number): boolean {
  const summaries = view.items.at(0)?.kind === 'summary' ? 1 : 0
  return cut - keptItems(view, cut, policy).length === summaries
}

/** True if the context cannot be sent as it is: then it is worth shortening even a summary. */
function cannotBeSent({ budget, reason, tokens }: PlanInput): boolean {
  return reason === 'overflow' || (budget.limit !== undefined && tokens >= budget.limit)
}

/**
 * The cut of a policy that need not fit the target. Walking backwards, the message that exceeds `keepTokens` falls
 * before the cut; a last message that exceeds it alone is kept. A cut before a tool result moves forward. The counts are
 * not scaled to the provider's (T1): the same messages are cut at the same place, whoever answered them.
 */
export function cutByWalk(
  view: View,
  keepTokens: number,
  sizes: Sizes,
  cutRules?: readonly CutRule[],
): number | SkipReason {
  const { items } = view
  const end = items.length
  let cut = 0
  let tokens = 0
  for (let i = end - 1; i >= 0; i--) {
    tokens += unscaledTokensAt(sizes, i)
    if (tokens > keepTokens) {
      cut = Math.min(i + 1, end - 1)
      break
    }
  }
  if (cut === 0) return 'too-short'
  const legal = legalAtOrAfter(legalCuts(view, withCutRules(cutRules)), cut, end)
  if (legal === end) return 'no-legal-cut'
  return legal < 2 ? 'too-short' : legal
}

/** The cut if the user asked and `cutByWalk` finds none: the last legal one with two messages before it. */
export function forcedCut(view: View, cutRules?: readonly CutRule[]): number | SkipReason {
  const legal = legalCuts(view, withCutRules(cutRules))
  for (let i = view.items.length - 1; i >= 2; i--) if (legal(i)) return i
  return 'too-short'
}
