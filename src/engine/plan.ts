import type { Reason } from '../model/entry.ts'
import type { Policy } from '../model/policy.ts'
import type { View } from '../model/view.ts'
import type { Budget } from '../tokens/budget.ts'
import { itemTokens } from '../tokens/count.ts'
import type { FixedTokens } from '../tokens/estimate.ts'
import { charactersByFour, type Estimator, messageTokens } from '../tokens/estimate.ts'
import { type Allowances, allowancesOf } from './allowances.ts'
import type { BreakerState } from './breaker.ts'
import { cutByMessages } from './cut-by-messages.ts'
import { cutByTurns } from './cut-by-turns.ts'
import { cutByWalk, forcedCut } from './cut-by-walk.ts'
import { isUserMessage } from './index-delta.ts'
import { openCalls } from './open-calls.ts'
import { pinnedTokens } from './pinned.ts'
import type { SkipReason } from './skip.ts'
import { firstUserIndex, lastUserIndex } from './turns.ts'

export type PlanInput = {
  readonly view: View
  readonly policy: Policy
  readonly budget: Budget
  /** Why a compaction is considered: only `manual` passes over trigger, growth, mode and breaker. */
  readonly reason: Reason
  /** How full the context is: what `status()` says. */
  readonly tokens: number
  readonly fixed?: FixedTokens
  readonly pendingTokens?: number
  readonly breaker?: BreakerState
  readonly estimator?: Estimator
}

/** What to do, as data. `cut` separates the span (before it) from the tail. */
export type Plan =
  | { readonly kind: 'keep'; readonly reason: SkipReason; readonly largest?: string }
  | {
      readonly kind: 'compact'
      readonly cut: number
      /** The tail starts inside a turn. */
      readonly splitTurn: boolean
      /** Where the turn that the cut is in began, when that is in the span. */
      readonly turnStart?: number
      readonly allowances: Allowances
      /** What the rebuilt request will have at most, if summary and index use their allowances. */
      readonly floorTokens: number
    }

/** Decides whether to compact and where to cut, without doing anything. After one more message it costs the same. */
export function plan(input: PlanInput): Plan {
  const { view, policy } = input
  const end = view.items.length
  if (end === 0) return keep('empty')
  const notNow = input.reason === 'manual' ? undefined : whyNotNow(input)
  if (notNow !== undefined) return keep(notNow)
  if (openCalls(view.items, end) > 0) return keep('pending-tool-calls')
  const cut = cutOf(input)
  if (typeof cut === 'object') return cut
  if (typeof cut === 'string') return keep(cut)
  if (nothingNew(view)) return keep('nothing-new')
  if (cut === 0 || cut < policy.minSpanMessages) return keep('too-short')
  return compactAt(input, cut)
}

function keep(reason: SkipReason): Plan {
  return { kind: 'keep', reason }
}

function whyNotNow({ view, policy, budget, tokens, breaker, reason, estimator = charactersByFour }: PlanInput) {
  if (policy.mode === 'off') return 'automatic-off'
  if (breaker === 'open') return 'breaker-open'
  if (reason === 'overflow') return undefined
  if (budget.trigger === undefined) return 'window-unknown'
  if (tokens < budget.trigger) return 'under-trigger'
  const nearLimit = budget.limit !== undefined && tokens >= budget.limit
  return view.settled > 0 && !nearLimit && grownTokens(view, estimator) < budget.growth ? 'not-grown' : undefined
}

/** What was said since the last change of the view: those items are its end, in the order of their seq. */
function grownTokens(view: View, estimator: Estimator): number {
  let from = 0
  let end = view.items.length
  while (from < end) {
    const middle = (from + end) >> 1
    if ((view.items.at(middle)?.seq ?? 0) > view.settled) end = middle
    else from = middle + 1
  }
  return itemTokens(view.items, from, view.items.length, estimator)
}

function nothingNew(view: View): boolean {
  const summary = view.items.at(0)
  const last = view.items.at(view.items.length - 1)
  return summary?.kind === 'summary' && last !== undefined && last.seq <= summary.seq
}

function cutOf(input: PlanInput): number | SkipReason | Plan {
  const { view, policy, budget, reason, estimator = charactersByFour } = input
  if (policy.preset === 'pith') return cutWithinTarget(input)
  if (policy.keepMessages !== undefined) return cutByMessages(view, policy.keepMessages, policy.minSpanMessages)
  if (policy.preset !== 'kit') return view.items.length
  const cut = cutByWalk(view, budget.tail, estimator)
  return typeof cut === 'string' && reason === 'manual' ? forcedCut(view) : cut
}

/** Proves before acting that the rebuilt request fits the target, and shrinks the tail until it does. */
function cutWithinTarget(input: PlanInput): number | SkipReason | Plan {
  const { view, policy, budget, reason, estimator = charactersByFour } = input
  const allowances = allowancesOf(budget, sumOf(input))
  const room = allowances.room - allowances.summaryTokens - allowances.indexTokens - verbatimTokens(input, allowances)
  if (room < 0) return floorTooLarge(input)
  const whole = itemTokens(view.items, 0, view.items.length, estimator)
  // A user who asks for it wants to see an effect, also where everything would fit the tail.
  const wanted = reason === 'manual' ? Math.min(budget.tail, Math.floor(whole / 4)) : budget.tail
  if (policy.keepMessages === undefined) return cutByTurns(view, Math.min(wanted, room), room, estimator)
  const cut = cutByMessages(view, policy.keepMessages, policy.minSpanMessages)
  if (typeof cut === 'string' || itemTokens(view.items, cut, view.items.length, estimator) <= room) return cut
  return cutByTurns(view, room, room, estimator)
}

/** What stays verbatim whatever the cut: the user's first message in the index, the latest as it is, pinned steps. */
function verbatimTokens({ view, estimator = charactersByFour }: PlanInput, allowances: Allowances): number {
  const end = view.items.length
  const tokensAt = (index: number) => {
    const item = view.items.at(index)
    return item === undefined ? 0 : messageTokens(item.message, estimator)
  }
  const summary = view.items.at(0)
  const said = summary?.kind === 'summary' ? summary.index.users[0]?.text : undefined
  const first = said === undefined ? tokensAt(firstUserIndex(view.items, end)) : charactersByFour.text(said)
  const latest = tokensAt(lastUserIndex(view.items, end))
  return Math.min(first, allowances.userTokens) + latest + pinnedTokens(view.items, estimator)
}

function floorTooLarge(input: PlanInput): Plan {
  const parts = { ...input.fixed, 'pending input': input.pendingTokens ?? 0 }
  const [largest] = Object.entries(parts).toSorted(([, a], [, b]) => b - a)
  return {
    kind: 'keep',
    reason: 'floor-too-large',
    largest: largest === undefined || largest[1] === 0 ? 'the latest message' : largest[0],
  }
}

function sumOf({ fixed, pendingTokens = 0 }: PlanInput): number {
  return pendingTokens + Object.values(fixed ?? {}).reduce((sum, tokens) => sum + tokens, 0)
}

function compactAt(input: PlanInput, cut: number): Plan {
  const { view, budget, estimator = charactersByFour } = input
  const end = view.items.length
  const allowances = allowancesOf(budget, sumOf(input))
  const splitTurn = cut < end && !isUserMessage(view.items.at(cut))
  const turnStart = splitTurn ? lastUserIndex(view.items, cut) : -1
  const tail = itemTokens(view.items, cut, end, estimator)
  return {
    kind: 'compact',
    cut,
    splitTurn,
    turnStart: turnStart === -1 ? undefined : turnStart,
    allowances,
    floorTokens:
      sumOf(input) +
      allowances.frameTokens +
      allowances.summaryTokens +
      allowances.indexTokens +
      verbatimTokens(input, allowances) +
      tail,
  }
}
