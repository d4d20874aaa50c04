import type { SkipReason } from '../../model/compact-result.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { isUserMessage, type Reason, type Seq, type Squeeze, type View } from '../../model/types.ts'
import type { Budget } from '../../tokens/budget.ts'
import type { Estimator, FixedTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes, tokensAt } from '../../tokens/sizes.ts'
import type { BreakerState } from '../context/context.ts'
import type { Bounds } from './bounds.ts'
import { type CutRule, firstIndex } from './cut-rules.ts'
import { pinnedTokens } from './kept-items.ts'

export type PlanInput = {
  readonly view: View
  readonly policy: Policy
  readonly budget: Budget
  /** The reason to consider a compaction. Only `manual` ignores trigger, growth, mode and breaker. */
  readonly reason: Reason
  /** The tokens of the context, from `status()`. */
  readonly tokens: number
  /** The tokens that no compaction can save. `fenced`: the part that a provider has compacted itself. */
  readonly fixed?: FixedTokens & { readonly fenced?: number }
  readonly pendingTokens?: number
  /** The prompt cache has expired, so a change of the view breaks nothing. */
  readonly cacheCold?: boolean
  readonly breaker?: BreakerState
  readonly estimator?: Estimator
  /** The sizes of the view by this estimator. Without them every message is counted. */
  readonly sizes?: Sizes
  /** The caller's own rules for cuts, in addition to those of the providers. */
  readonly cutRules?: readonly CutRule[]
  /** The most that the record needs, if that is known. The tail gets the rest. */
  readonly recordTokens?: number
  /** The last entry that may leave the view. Everything after it stays, even a call without its result. */
  readonly upTo?: Seq
}

/** The input of a plan with its defaults filled in. */
export type PlanState = PlanInput & { readonly estimator: Estimator; readonly sizes: Sizes }

/** A decision as data. */
export type Plan =
  | KeepPlan
  /** Nothing can be summarised, but single items are too large. */
  | { readonly kind: 'squeeze'; readonly squeezes: readonly Squeeze[]; readonly bounds: Bounds }
  | CompactPlan

export type KeepPlan = {
  readonly kind: 'keep'
  readonly reason: SkipReason
  /** The name of the largest part that cannot be compacted, its tokens, and the window that it is in. */
  readonly largest?: string
  readonly largestTokens?: number
  readonly window?: number
}

/** `cut` separates the span (before it) from the tail. */
export type CompactPlan = {
  readonly kind: 'compact'
  readonly cut: number
  /** The tail starts inside a turn. */
  readonly splitTurn: boolean
  /** The index at which the split turn begins, if that is in the span. */
  readonly turnStart?: number
  readonly allowances: Allowances
  /** Items of the tail that are shortened because they are too large. */
  readonly squeezes: readonly Squeeze[]
  /** The bounds that the rebuilt request has to keep; absent under a policy that does not fit its target. */
  readonly bounds?: Bounds
}

/** The plan to change nothing, with its reason. */
export function keep(reason: SkipReason): Plan {
  return { kind: 'keep', reason }
}

/** The tokens of the fixed parts, which every request has. */
export function fixedSum({ fixed }: Pick<PlanInput, 'fixed'>): number {
  return Object.values(fixed ?? {}).reduce((sum, tokens) => sum + tokens, 0)
}

/** The number of items that may leave the view. */
export function removableCount({ view: { items }, upTo }: Pick<PlanInput, 'view' | 'upTo'>): number {
  if (upTo === undefined) return items.length
  return firstIndex(0, items.length, (index) => (items.at(index)?.place ?? 0) > upTo)
}

/** The plan to compact with this cut. */
export function compactAt(
  input: PlanInput,
  cut: number,
  allowances: Allowances,
  fit: Partial<Pick<CompactPlan, 'squeezes' | 'bounds'>> = {},
): CompactPlan {
  const { items } = input.view
  const splitTurn = cut < items.length && !isUserMessage(items.at(cut))
  const turnStart = splitTurn ? items.lastUser(cut) : -1
  return {
    kind: 'compact',
    cut,
    splitTurn,
    turnStart: turnStart === -1 ? undefined : turnStart,
    allowances,
    squeezes: fit.squeezes ?? [],
    bounds: fit.bounds,
  }
}

/** Tokens that the parts of a rebuilt context may take. */
export type Allowances = {
  /** The most that a model may write. */
  readonly summaryTokens: number
  /** The least room of the record. It also has what the tail leaves. */
  readonly recordTokens: number
  /** A message of the user that stays in the view: a quarter of the target. */
  readonly userTokens: number
  /** A message of the user in the record: the same, or less if there is little room. */
  readonly quoteTokens: number
  /** The user's first message, which the record always has. */
  readonly firstUserTokens: number
  /** The room within the target for all of them and the tail; infinite without a target. */
  readonly room: number
}

/** The most for a single user message if no target limits it. */
const USER_TOKENS = 10_000

/** The headings and notes of a record take this share of the frame's tokens, if there is room. */
export const HEADINGS_PER_FRAME = 0.55

/** The most of the room that a record may have: the tail has at least a quarter. */
const RECORD_SHARE = 0.75
/** In a larger room a record has a third of it, because beyond so many tokens a line must be worth its price. */
export const FILLED_RECORD = 12_000

/** The tokens that no compaction can save: the fixed parts, and the empty frame of a summary. */
type Floor = { readonly floorTokens: number; readonly frameTokens: number }
const NO_FLOOR: Floor = { floorTokens: 0, frameTokens: 0 }

/**
 * Divides `target`, the current one. The user's first and latest message come first, with up to a quarter of the budget's
 * target each. If the floor leaves little room, every part gets less.
 */
export function allowancesOf(
  budget: Budget,
  floor: Floor = NO_FLOOR,
  userMessages: UserMessageTokens = NO_USER_MESSAGES,
  target = budget.target ?? Number.POSITIVE_INFINITY,
  recordTokens = Number.POSITIVE_INFINITY,
): Allowances {
  if (target === Number.POSITIVE_INFINITY) {
    return {
      summaryTokens: budget.summary,
      recordTokens: budget.summary + budget.index,
      userTokens: USER_TOKENS,
      quoteTokens: USER_TOKENS,
      firstUserTokens: Math.min(userMessages.first, USER_TOKENS),
      room: Number.POSITIVE_INFINITY,
    }
  }
  const room = roomWithin(target, floor)
  const userTokens = budget.user ?? Math.floor(Math.max(target, budget.target ?? 0) / 4)
  const half = Math.floor(room / 2)
  const most = budget.user === undefined ? half : Math.max(half, room - userMessages.latest)
  const quoteTokens = Math.max(0, Math.min(userTokens, most))
  const firstUserTokens = Math.min(userMessages.first, quoteTokens)
  // Calls cannot be shortened like their results. If they did not fit, words of the user would have to be removed.
  const stepTokens = Math.min(userMessages.step ?? 0, Math.floor(room / 4))
  const pinnedTokens = Math.min(userMessages.pinned ?? 0, half)
  const others = firstUserTokens + Math.min(userMessages.latest, userTokens) + stepTokens + pinnedTokens
  const beside = Math.max(0, room - others)
  return {
    summaryTokens: Math.min(budget.summary, Math.floor(beside / 4)),
    recordTokens: Math.floor(Math.min(recordTokens, beside * RECORD_SHARE, Math.max(beside / 3, FILLED_RECORD))),
    userTokens,
    quoteTokens,
    firstUserTokens,
    room,
  }
}

/** The fixed parts and the frame of a record with its headings. */
export function leastRecord({ floorTokens, frameTokens }: Floor): number {
  return floorTokens + frameTokens + Math.ceil(frameTokens * HEADINGS_PER_FRAME)
}

function roomWithin(target: number, { floorTokens, frameTokens }: Floor): number {
  const room = target - floorTokens - frameTokens
  const headings = Math.min(Math.ceil(frameTokens * HEADINGS_PER_FRAME), Math.floor(room / 2))
  return room - Math.max(0, headings)
}

/** The tokens of the user's first and latest message, of the calls of the last step, and of what is pinned. */
export type UserMessageTokens = {
  readonly first: number
  readonly latest: number
  readonly step?: number
  readonly pinned?: number
}
const NO_USER_MESSAGES: UserMessageTokens = { first: 0, latest: 0 }

/** The room for the tail and for the items that are kept verbatim before it. */
export function verbatimRoom(allowances: Allowances): number {
  const { room, recordTokens, firstUserTokens } = allowances
  return room - recordTokens - firstUserTokens
}

/** The plan that changes nothing and names the largest part that cannot be compacted. */
export function floorTooLarge(input: PlanState): KeepPlan {
  const { view, sizes } = input
  const { system, tools, instructions, memory, unseen = 0, fenced = 0 } = { ...NOTHING, ...input.fixed }
  const parts: readonly (readonly [string, number])[] = [
    ['the system prompt', system],
    ['the tool schemas', tools],
    ['the instructions', instructions],
    ['the memory', memory],
    ['the part that is not in the log', unseen],
    ["the provider's own compaction", fenced],
    ['the pending input', input.pendingTokens ?? 0],
    ['the pinned messages', pinnedTokens(view, sizes)],
    ['the latest message', tokensAt(sizes, view.items.lastUser())],
  ]
  const [largest] = parts.toSorted(([, a], [, b]) => b - a)
  const [name, largestTokens] = largest ?? []
  return { kind: 'keep', reason: 'floor-too-large', largest: name, largestTokens, window: input.budget.window }
}

const NOTHING: NonNullable<PlanInput['fixed']> = { system: 0, tools: 0, instructions: 0, memory: 0 }
