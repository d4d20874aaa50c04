import {
  type Entry,
  type EntryDraft,
  isUserMessage,
  type LeftOutTarget,
  type Message,
  type Prices,
} from '../../model/types.ts'
import { costOf } from '../../tokens/cost.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import { type Context, driftIn, estimateIn, statusIn } from '../context/context.ts'
import { extendContext } from '../context/open-context.ts'
import { inactiveSeqs } from '../context/view/activity.ts'
import { entryAfter } from '../context/view/log.ts'
import { requestOf } from '../context/view/request.ts'
import { validate } from '../context/view/validate.ts'
import type { KeptPart, LeaveOutCost } from '../report/leave-out-text.ts'
import { pinnedSteps } from './kept-items.ts'
import {
  coveredPlaces,
  type LeaveOutSelector,
  type LeftOutName,
  leaveOutTargets,
  nearestTarget,
  type Stays,
} from './leave-out-targets.ts'
import { BREAK_EVEN_REQUESTS } from './mask.ts'

export type LeaveOutOptions = {
  readonly requestedBy: 'user' | 'model'
  /** Input that is not in the log yet. */
  readonly pending?: readonly Message[]
  /** The provider has forgotten the last request, so that there is no cache to lose. */
  readonly cacheCold?: boolean
}

export type LeaveOutDraft = Extract<EntryDraft, { type: 'leave-out' }>

/** The entry that leaves parts out of the view, what it costs, and what stays although it was named; or why there is none. */
export type LeaveOutPlan =
  | {
      readonly ok: true
      readonly draft: LeaveOutDraft
      /** The number of messages or results. */
      readonly parts: number
      readonly kept: readonly KeptPart[]
      readonly cost: LeaveOutCost
    }
  | {
      readonly ok: false
      readonly reason: 'nothing' | 'invalid' | 'not-smaller'
      readonly kept: readonly KeptPart[]
      /** A part that could be left out instead. */
      readonly nearest?: LeftOutTarget
    }

/**
 * Plans to leave out parts of the view. A range is extended to whole steps, because no provider accepts a call without its
 * result. Whatever has to stay splits the range, and the plan names it.
 */
export function leaveOutPlan(context: Context, selector: LeaveOutSelector, options: LeaveOutOptions): LeaveOutPlan {
  const { requestedBy, pending } = options
  const stays = stayingItems(context, options)
  const { targets, first, parts, kept } = leaveOutTargets(context, selector, stays)
  if (first === undefined)
    return { ok: false, reason: 'nothing', kept, nearest: nearestTarget(context, selector, stays) }
  const { tokens: tokensBefore } = statusIn(context, pending)
  const estimated = estimateIn(context, pending)
  const draft: LeaveOutDraft = {
    type: 'leave-out',
    targets: [...targets],
    requestedBy,
    what: nameOf(selector),
    tokensBefore,
    tokensAfter: tokensBefore,
    drift: driftIn(context, pending),
  }
  const after = extendContext(context, entryAfter(context.log.last, draft))
  if (estimateIn(after, pending) >= estimated) return { ok: false, reason: 'not-smaller', kept }
  if (validate(requestOf(after.view).messages, { pending: 'allowed' }).length > 0)
    return { ok: false, reason: 'invalid', kept }
  const { tokens: tokensAfter } = statusIn(after, pending)
  return { ok: true, draft: { ...draft, tokensAfter }, parts, kept, cost: costIn(context, after, first, options) }
}

function nameOf(selector: LeaveOutSelector): LeftOutName | undefined {
  switch (selector.kind) {
    case 'tool':
      return { tool: selector.tool }
    case 'file':
      return { file: selector.file }
    case 'targets':
      return selector.what
    default:
      return undefined
  }
}

/** Nobody may leave out the unread, pins, records and instructions. A model may not leave out the user's words and wishes, nor its current turn. */
export function stayingItems({ view, log }: Context, { requestedBy }: Pick<LeaveOutOptions, 'requestedBy'>): Stays {
  const { items } = view
  const pinned = pinnedSteps(view, items.length)
  const unread = items.unread()
  const lastUser = items.lastUser()
  const backRanges = requestedBy === 'user' ? [] : broughtBack(log.slice())
  return (index) => {
    const item = items.at(index)
    if (item === undefined) return undefined
    if (index >= unread) return 'unread'
    if (index < items.fenced) return 'provider-compaction'
    if (item.kind === 'summary') return 'record'
    if (item.message.role === 'system') return 'instructions'
    if (pinned.has(index)) return 'pinned'
    if (requestedBy === 'user') return undefined
    if (isUserMessage(item)) return 'user-words'
    if (index > lastUser) return 'last-turn'
    return backRanges.some(({ from, upTo }) => from <= item.place && item.place <= upTo) ? 'put-back' : undefined
  }
}

/** The parts that the user brought back, with a put-back or an undo. What the model put back it may leave out again. */
function broughtBack(log: readonly Entry[]): LeftOutTarget[] {
  const inactive = inactiveSeqs(log)
  const byModel = new Set(
    log.flatMap((entry) =>
      entry.type === 'put-back' && entry.requestedBy === 'model' && !inactive.has(entry.seq) ? entry.leaveOuts : [],
    ),
  )
  return log.flatMap((entry) =>
    entry.type === 'leave-out' && inactive.has(entry.seq) && !byModel.has(entry.seq) ? entry.targets : [],
  )
}

/** The cost of writing the cache again from the first item that changes, and what every later request saves. */
function costIn(before: Context, after: Context, first: number, { cacheCold }: LeaveOutOptions): LeaveOutCost {
  const item = before.view.items.at(first)
  const breaksFrom = item === undefined ? 0 : coveredPlaces(item).from
  const { prices } = before.model
  const known = { breaksFrom, ...(cacheCold === true ? { isCold: true as const } : {}) }
  if (prices === undefined) return known
  const freed = Math.max(0, estimateIn(before) - estimateIn(after))
  const rest = Math.max(0, tokensBetween(before.sizes, first, before.view.items.unread()) - freed)
  const once = cacheCold === true ? 0 : Math.max(0, writeCost(rest, prices) - readCost(rest, prices))
  return { ...known, once, savedPerRequest: readCost(freed, prices) }
}

/** True if leaving it out saves more than the broken cache costs before long. Without prices nobody can say that it does not. */
export function paysOff({ once = 0, savedPerRequest = 0 }: LeaveOutCost): boolean {
  return once <= savedPerRequest * BREAK_EVEN_REQUESTS
}

function readCost(tokens: number, prices: Prices): number {
  return costOf({ inputTokens: tokens, outputTokens: 0, cacheReadTokens: tokens }, prices)
}

function writeCost(tokens: number, prices: Prices): number {
  return costOf({ inputTokens: tokens, outputTokens: 0, cacheWriteTokens: tokens }, prices)
}
