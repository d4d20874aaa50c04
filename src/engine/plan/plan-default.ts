import type { SkipReason } from '../../model/compact-result.ts'
import { isUserMessage, type Squeeze, type View } from '../../model/types.ts'
import { tokensBetween, type Unread, unreadOf } from '../../tokens/sizes.ts'
import { mostReplacedMessages } from '../context/view/replaced-range.ts'
import { frameTokens } from '../record/frame-tokens.ts'
import { aimWithin, type Bounds, type BoundsInput, boundsOf, excessOf, tightBounds } from './bounds.ts'
import { type CutRule, cutByTurns, legalAtOrBefore, legalCuts, withCutRules } from './cut-rules.ts'
import { keptIndexes, pinnedTokens } from './kept-items.ts'
import {
  type Allowances,
  allowancesOf,
  compactAt,
  fixedSum,
  floorTooLarge,
  keep,
  leastRecord,
  type Plan,
  type PlanInput,
  type PlanState,
  removableCount,
  type UserMessageTokens,
  verbatimRoom,
} from './plan-shape.ts'
import { firstWordsTokens, latestWords } from './spared-words.ts'
import { fitsWhole, type SqueezePlan, shortestTokens, sizedItems, squeezeSized } from './squeeze-plan.ts'

/**
 * The plan of a policy that fits the target. Before any rung runs it proves that the rebuilt request fits: the tail
 * shrinks and oversized items are squeezed until it does, the unread last. Only the fixed parts can be too large.
 */
export function planDefault(input: PlanState): Plan {
  const { view, budget, pendingTokens, estimator, sizes } = input
  const unread = unreadOf(sizes, pendingTokens)
  if (nothingNew(view) && !isOver(input, unread)) return keep('nothing-new')
  const userMessages = userMessageTokens(input, unread)
  const fixedTokens = fixedSum(input)
  const frame = frameTokens(mostReplacedMessages(view), estimator)
  const most = budget.user ?? Math.floor((budget.target ?? Number.POSITIVE_INFINITY) / 4)
  const floor = { floorTokens: fixedTokens, frameTokens: frame }
  const parts: BoundsInput = {
    budget,
    fixedTokens,
    recordTokens: leastRecord(floor),
    wordTokens: Math.min(userMessages.first, most) + Math.min(userMessages.latest, most),
    stepTokens: userMessages.step,
    unreadTokens: unread.tokens,
  }
  const all = boundsOf(parts)
  const first = (of: readonly Bounds[], plan: (bound: BoundInput) => Plan | undefined): Plan | undefined => {
    for (const bounds of of) {
      for (const aim of aims(input, unread, bounds)) {
        const allowances = allowancesOf(budget, floor, userMessages, aim, input.recordTokens)
        const planned =
          allowances.room < 0 ? undefined : plan({ ...input, unread, userMessages, bounds, aim, allowances })
        if (planned !== undefined) return planned
      }
    }
    return undefined
  }
  const withinLimit = all.filter(({ limit }) => limit === (budget.limit ?? limit))
  return (
    first(withinLimit, withLatestWords) ??
    first(tightBounds(parts, shortestUnread(input, unread)), (bound) => withLatestWords(withShortSpan(bound))) ??
    first(all, (bound) => firstPlan(plansWithin(bound))) ??
    first(all, withoutTail) ??
    floorTooLarge(input)
  )
}

/** The tokens of the unread if its results are squeezed to their handles and the user's words stay whole. */
function shortestUnread({ pendingTokens = 0, sizes }: PlanState, { from }: Unread): number {
  return shortestTokens(sizedItems(sizes, from), isUserMessage, sizes.estimator) + pendingTokens
}

/** First below the target, unless something has to be squeezed anyway or the policy sets the length of the tail. */
function aims(input: PlanState, unread: Unread, bounds: Bounds): number[] {
  const isWhole = bounds.unread >= unread.tokens && input.policy.keepMessages === undefined
  return isWhole ? [...new Set([aimWithin(bounds, fixedSum(input), input.budget), bounds.target])] : [bounds.target]
}

function firstPlan(plans: readonly (() => Plan | undefined)[]): Plan | undefined {
  for (const plan of plans) {
    const planned = plan()
    if (planned !== undefined) return planned
  }
  return undefined
}

/** The input of a plan after its bounds are chosen. */
type BoundInput = PlanState & {
  readonly unread: Unread
  readonly userMessages: Required<UserMessageTokens>
  readonly bounds: Bounds
  /** The target of the plan. If it is below that of the bounds, nothing is squeezed to reach it. */
  readonly aim: number
  readonly allowances: Allowances
}

/** Removes the user's latest words only after everything else, unless they are longer than any message may be. */
function withLatestWords(input: BoundInput): Plan | undefined {
  return firstPlan(plansWithin(input).map((plan) => () => ifLatestIsWhole(input, plan())))
}

/** The plans to try within the bounds, the best first. */
function plansWithin(input: BoundInput): (() => Plan | undefined)[] {
  const cut = cutWithin(input, verbatimRoom(input.allowances))
  const isAllRead = input.unread.from === input.view.items.length
  const whole = isAllRead ? [() => withoutTail(input)] : []
  return worthCutting(input, cut)
    ? [() => withSqueezes(input, cut), ...whole, () => squeezeOnly(input)]
    : [() => squeezeOnly(input), ...whole]
}

function ifLatestIsWhole(
  { view, unread, userMessages, allowances }: BoundInput,
  planned: Plan | undefined,
): Plan | undefined {
  if (planned === undefined || planned.kind === 'keep' || planned.squeezes.length === 0) return planned
  const at = view.items.lastUser()
  if (at < unread.from && userMessages.latest > allowances.userTokens) return planned
  const latest = view.items.at(at)?.seq
  return planned.squeezes.some(({ target }) => target === latest) ? undefined : planned
}

/** Summarises everything. If something is unread, this is the last resort: there would be room for more than its handles. */
function withoutTail(input: BoundInput): Plan | undefined {
  return withSqueezes(input, removableCount(input))
}

/** True if this cut removes enough messages to be worth a summary. */
function worthCutting(input: PlanInput, cut: number): boolean {
  return cut - keptIndexes(input.view, cut, input.policy).length >= leastSpan(input)
}

/** Allows a single record to be made smaller before the unread is cut. */
function withShortSpan(input: BoundInput): BoundInput {
  return { ...input, policy: { ...input.policy, minSpanMessages: 1 } }
}

/** After a refusal a single record is made smaller before any word of the user is removed. */
function leastSpan({ policy, budget }: PlanInput): number {
  return budget.user === undefined ? policy.minSpanMessages : 1
}

/** A plan with this cut, if the verbatim items around it fit, squeezed if necessary. */
function withSqueezes(input: BoundInput, cut: number): Plan | undefined {
  const { view, policy, unread, bounds, allowances, sizes } = input
  const kept = keptIndexes(view, cut, policy)
  if (cut - kept.length < leastSpan(input)) return undefined
  const room = verbatimRoom(allowances)
  const { userTokens } = allowances
  const end = Math.max(cut, unread.from)
  const read = fitsWhole({ sizes, cut, end, kept }, room, userTokens)
    ? NO_SQUEEZES
    : squeezeSized(
        [...kept.flatMap((at) => sizedItems(sizes, at, at + 1)), ...sizedItems(sizes, cut, end)],
        room,
        userTokens,
        sizes.estimator,
      )
  return planOf(input, [read, unreadSqueezes(input, end, bounds.unread)], (squeezes) =>
    compactAt(input, cut, allowances, { squeezes, bounds }),
  )
}

const NO_SQUEEZES: SqueezePlan = { squeezes: [], tokens: 0 }

/** How the unread from this index on fits its room: whole if possible. */
function unreadSqueezes(input: BoundInput, from: number, tokens: number): SqueezePlan | undefined {
  const { view, pendingTokens = 0, sizes } = input
  const room = tokens - pendingTokens
  if (tokensBetween(sizes, from, view.items.length) <= room) return NO_SQUEEZES
  // The user's messages are spared as long as results can be shortened.
  return squeezeSized(sizedItems(sizes, from), room, Number.POSITIVE_INFINITY, sizes.estimator)
}

/** The plan with these squeezes, if all of them are possible and the policy allows them. */
function planOf(
  { policy, aim, bounds }: BoundInput,
  parts: readonly (SqueezePlan | undefined)[],
  plan: (squeezes: readonly Squeeze[]) => Plan,
): Plan | undefined {
  const squeezes: Squeeze[] = []
  for (const part of parts) {
    if (part === undefined) return undefined
    squeezes.push(...part.squeezes)
  }
  const mayShorten = policy.rungs.includes('squeeze') && aim >= bounds.target
  return squeezes.length > 0 && !mayShorten ? undefined : plan(squeezes)
}

/** A plan for a view that has nothing to summarise but does not fit: single items are shortened. */
function squeezeOnly(input: BoundInput): Plan | undefined {
  const { unread, bounds, allowances, sizes } = input
  if (!isOver(input, unread)) return keep('too-short')
  const read = sizedItems(sizes, 0, unread.from)
  const messages = read.filter(({ item }) => item.kind === 'message')
  const taken = read.reduce((sum, { item, size }) => sum + (item.kind === 'summary' ? size : 0), fixedSum(input))
  const fit = squeezeSized(messages, bounds.target - taken, allowances.userTokens, sizes.estimator)
  if (fit === undefined) return undefined
  const rest = unreadSqueezes(input, unread.from, bounds.limit - taken - fit.tokens)
  return planOf(input, [fit, rest], (squeezes) =>
    squeezes.length === 0 ? keep('too-short') : { kind: 'squeeze', squeezes, bounds },
  )
}

/** True if the unchanged view exceeds the target or the limit. */
function isOver(input: PlanState, unread: Unread): boolean {
  const { view, budget, pendingTokens = 0, sizes } = input
  const whole = fixedSum(input) + tokensBetween(sizes, 0, view.items.length) + pendingTokens
  const { target = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = budget
  return excessOf(whole, unread.tokens, { target, limit }) !== undefined
}

function cutWithin(input: BoundInput, room: number): number {
  const { view, policy, budget, reason, unread, userMessages, sizes, cutRules } = input
  const whole = tokensBetween(sizes, 0, unread.from)
  // A user who asks wants to see an effect, and a provider that refused has counted more tokens than we have.
  const wanted =
    reason === 'manual' || reason === 'overflow' ? Math.min(budget.tail, Math.floor(whole / 4)) : budget.tail
  const free = Math.max(0, room - userMessages.latest - pinnedTokens(view, sizes))
  if (policy.keepMessages !== undefined) {
    const cut = cutByMessages(view, policy.keepMessages, policy.minSpanMessages, cutRules, unread.from)
    if (typeof cut === 'number' && tokensBetween(sizes, cut, unread.from) <= room) return cut
  }
  return cutByTurns(view, Math.min(wanted, free), sizes, cutRules, unread.from)
}

/** The tokens of the user's first and latest message. If the latest is unread, it is counted with the unread. */
function userMessageTokens(input: PlanState, unread: Unread): Required<UserMessageTokens> {
  const { view, sizes } = input
  const isRead = view.items.lastUser() < unread.from
  return {
    first: firstWordsTokens(view, sizes),
    latest: isRead ? latestWords(view, sizes) : 0,
    step: lastStepTokens(input, unread),
    pinned: pinnedTokens(view, sizes),
  }
}

/** The read part of the step that the unread answers: a call stays with its results. */
function lastStepTokens({ view, cutRules, sizes }: PlanState, { from }: Unread): number {
  return tokensBetween(sizes, Math.min(from, cutByTurns(view, 0, sizes, cutRules, from)), from)
}

function nothingNew(view: View): boolean {
  const summary = view.items.at(0)
  const last = view.items.at(view.items.length - 1)?.seq ?? 0
  if (summary?.kind === 'summary' && last <= summary.seq) return true
  return (view.settledBy === 'compaction' || view.settledBy === 'squeeze') && last <= view.settled
}

/** The cut that keeps the last `keep` messages, everything from `end` on, and more if a call would lose its result (R11, A4, K9). */
export function cutByMessages(
  view: View,
  keep: number,
  minSpanMessages: number,
  cutRules?: readonly CutRule[],
  end: number = view.items.length,
): number | SkipReason {
  const cut = Math.min(end, view.items.length - keep)
  if (cut < minSpanMessages) return 'too-short'
  const legal = legalAtOrBefore(legalCuts(view, withCutRules(cutRules)), cut)
  return legal < minSpanMessages ? 'no-legal-cut' : legal
}
