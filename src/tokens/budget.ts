import type { Policy } from '../model/policy/policy.ts'

/** The numbers of tokens that follow from a policy and a window. Those that need a window are absent if it is unknown. */
export type Budget = {
  readonly window?: number
  readonly reserve: number
  /** Automatic compaction starts at this many tokens, not counting the unread. */
  readonly trigger?: number
  /** The trigger while the prompt cache is cold: the next request would be billed in full anyway. */
  readonly coldTrigger?: number
  /** The trigger at an end of work. Absent if the context would be over it again too soon after a compaction. */
  readonly endOfWorkTrigger?: number
  /** The most tokens of a request, including the unread: the window minus the reserve. */
  readonly limit?: number
  /** The limit if nothing else helps: the window minus the room for a short answer. */
  readonly ceiling?: number
  /** The most tokens of the rebuilt request, not counting the unread. Always below the trigger. */
  readonly target?: number
  /** The tokens by which the context must grow after a change before the next automatic compaction. */
  readonly growth: number
  readonly tail: number
  /** The most tokens of a message of the user that stays. If absent, a quarter of the target. */
  readonly user?: number
  readonly summary: number
  readonly index: number
  readonly names: number
}

/** A target of 50 % belongs to a trigger of 80 %. If a trigger is too close to the target, the target is lowered in the same proportion. */
const TARGET_PER_TRIGGER = 5 / 8
const TARGET_MOST_OF_TRIGGER = 0.7
/** Growth is a share of the window for which the trigger would be 80 %, so a low trigger needs less growth. */
const WINDOW_PER_TRIGGER = 5 / 4

/** The conversation needs at least this much room below the limit. If large fixed parts leave less, the ceiling becomes the limit. */
const LEAST_ROOM = 1_000
/** Between the fixed parts and the trigger there is at least this percentage of the window, or a quarter of a low trigger. */
const LEAST_ROOM_PERCENT = 5

/** The budget of a policy for a window. `fixedTokens`: the fixed parts of a request, which no compaction changes. */
export function budgetOf(given: Policy, window: number | undefined, maxInput?: number, fixedTokens = 0): Budget {
  const known = window !== undefined && window > 0 ? window : undefined
  const policy = policyFor(given, known)
  const reserve = atMost(policy.reserveTokens, policy.reserveMaxPercent, known)
  const whole = known ?? policy.tokenLimit
  const wanted = atMost(policy.nameTokens, policy.nameMaxPercent, whole)
  const always = fixedTokens
  const most = mostOf(policy.triggerMaxTokens, always, known)
  const ceiling = ceilingOf(known, reserve, maxInput)
  const limit = limitOf(known, reserve, ceiling, fixedTokens)
  const trigger = triggerBeside(policy, triggerOf(policy, known, reserve, maxInput, most), {
    known,
    limit,
    fixedTokens,
  })
  const target = targetBeside(policy, targetOf(policy, known, trigger, always, most), { known, trigger, fixedTokens })
  const growth = Math.min(
    share(Math.min(whole ?? 0, (trigger ?? Number.POSITIVE_INFINITY) * WINDOW_PER_TRIGGER), policy.growthPercent),
    Math.max(0, (trigger ?? Number.POSITIVE_INFINITY) - (target ?? 0)),
  )
  return {
    window: known,
    reserve,
    trigger,
    coldTrigger: coldTriggerOf(policy, { trigger, target, growth, always: trigger === most ? always : 0 }),
    endOfWorkTrigger: endOfWorkTriggerOf(policy, { trigger, target, growth, always }),
    limit,
    ceiling,
    target,
    growth,
    tail: atMost(policy.keepTokens, policy.keepMaxPercent, whole),
    summary: atMost(policy.summaryTokens || EXPECTED_SUMMARY, policy.allowanceMaxPercent, whole),
    index: atMost(policy.indexTokens, policy.allowanceMaxPercent, whole),
    // The names after masked output. In a target that is not set in tokens they get at most a tenth.
    names:
      target === undefined || target === mostOf(policy.targetMaxTokens, always, known)
        ? wanted
        : Math.min(wanted, share(target, 10)),
  }
}

/**
 * The policy for a window. On a small one every policy compacts all the time. Of the settings that lost nothing at 16,000 and
 * 32,000 tokens these were the cheapest: the later trigger has the fewest compactions (bench/tried.md).
 */
function policyFor(policy: Policy, window: number | undefined): Policy {
  const isSmall = window !== undefined && window >= SMALLEST && window <= (policy.smallWindowTokens ?? 0)
  return isSmall ? { ...policy, ...SMALL } : policy
}

const SMALL = { triggerPercent: 85, reserveMaxPercent: 15, targetPercent: 45 } as const
/** On a smaller window, the reserve of the rule would leave less than 2,400 tokens for an answer. */
const SMALLEST = 16_000

/** True if tokens > window − reserve; never if window or reserve is 0 or less. */
export function exceedsReserve(tokens: number, window: number, reserve: number): boolean {
  return window > 0 && reserve > 0 && tokens > window - reserve
}

function ceilingOf(window: number | undefined, reserve: number, maxInput: number | undefined): number | undefined {
  if (window === undefined) return maxInput
  return Math.min(window - Math.ceil(Math.min(reserve, share(window, 25)) / 4), maxInput ?? window)
}

function limitOf(
  window: number | undefined,
  reserve: number,
  ceiling: number | undefined,
  fixedTokens: number,
): number | undefined {
  if (window === undefined || ceiling === undefined) return ceiling
  const limit = Math.min(window - reserve, ceiling)
  return limit - fixedTokens < Math.min(LEAST_ROOM, share(window, 25)) ? ceiling : limit
}

type FixedParts = { readonly known?: number; readonly fixedTokens: number }

/** If a policy fits its target, the trigger is above the fixed parts: below them every step would compact. */
function triggerBeside(
  { fitTarget }: Policy,
  trigger: number | undefined,
  { known, limit, fixedTokens }: FixedParts & Pick<Budget, 'limit'>,
): number | undefined {
  if (!fitTarget || trigger === undefined || known === undefined) return trigger
  const room = Math.min(share(known, LEAST_ROOM_PERCENT), share(trigger, 25))
  return Math.max(trigger, Math.min(limit ?? known, fixedTokens + room))
}

/** If the fixed parts leave little of the target, it is halfway between them and the trigger. */
function targetBeside(
  { fitTarget, targetMaxTokens }: Policy,
  target: number | undefined,
  { known, trigger, fixedTokens }: FixedParts & Pick<Budget, 'trigger'>,
): number | undefined {
  if (!fitTarget || target === undefined || known === undefined || fixedTokens === 0) return target
  const most = trigger ?? known
  const beside = fixedTokens + Math.floor(Math.max(0, most - fixedTokens) / 2)
  const capped = targetMaxTokens === undefined ? beside : Math.min(beside, targetMaxTokens + fixedTokens)
  return Math.min(Math.max(target, capped), most - 1)
}

function triggerOf(
  policy: Policy,
  window: number | undefined,
  reserve: number,
  maxInput: number | undefined,
  most: number,
): number | undefined {
  const candidates: number[] = []
  if (policy.tokenLimit !== undefined) candidates.push(Math.min(policy.tokenLimit, window ?? policy.tokenLimit))
  else if (window !== undefined && policy.triggerPercent > 0)
    candidates.push(Math.min(most, Math.ceil((window * policy.triggerPercent) / 100)))
  if (window !== undefined && reserve > 0)
    candidates.push(window - reserve + (policy.reserveTrigger === 'above' ? 1 : 0))
  if (maxInput !== undefined && candidates.length > 0)
    candidates.push(maxInput - Math.min(reserve, share(maxInput, 25)))
  return candidates.length === 0 ? undefined : Math.max(1, Math.min(...candidates))
}

function targetOf(
  policy: Policy,
  window: number | undefined,
  trigger: number | undefined,
  alwaysTokens: number,
  mostTrigger: number,
): number | undefined {
  const most = mostOf(policy.targetMaxTokens, alwaysTokens, window)
  const ofWindow = window === undefined ? undefined : share(window, policy.targetPercent)
  if (trigger === undefined) return ofWindow === undefined ? undefined : Math.min(most, ofWindow)
  if (ofWindow !== undefined && ofWindow <= trigger * TARGET_MOST_OF_TRIGGER) return Math.min(most, ofWindow)
  // If the trigger counts only the conversation, the target is in addition to the fixed parts.
  const always = trigger === mostTrigger ? alwaysTokens : 0
  return Math.min(most, always + Math.floor((trigger - always) * TARGET_PER_TRIGGER))
}

type Numbers = Pick<Budget, 'trigger' | 'target' | 'growth'> & { readonly always: number }

/** At least `growth` above the target, so that a compaction frees something. */
function coldTriggerOf(
  { coldTriggerPercent }: Policy,
  { trigger, target, growth, always }: Numbers,
): number | undefined {
  if (coldTriggerPercent === undefined || trigger === undefined) return undefined
  const wanted = always + share(trigger - always, coldTriggerPercent)
  return Math.min(trigger, Math.max(wanted, (target ?? 0) + growth))
}

/** A share of the conversation's part of the trigger. There is none unless the target and the growth that is required after a compaction are below it. */
function endOfWorkTriggerOf(
  { endOfWorkPercent }: Policy,
  { trigger, target, growth, always }: Numbers,
): number | undefined {
  if (endOfWorkPercent === undefined || trigger === undefined || target === undefined) return undefined
  const wanted = always + share(trigger - always, endOfWorkPercent)
  return target + growth < wanted && wanted < trigger ? wanted : undefined
}

/** A limit in tokens for the conversation, plus the fixed parts. */
function mostOf(tokens: number | undefined, alwaysTokens: number, window: number | undefined): number {
  return tokens === undefined || window === undefined ? Number.POSITIVE_INFINITY : tokens + alwaysTokens
}

/** The room for a summary if the policy leaves its length to the provider. */
const EXPECTED_SUMMARY = 8_000

function atMost(tokens: number, maxPercent: number, whole: number | undefined): number {
  return whole === undefined ? tokens : Math.min(tokens, share(whole, maxPercent))
}

function share(whole: number, percent: number): number {
  return Math.floor((whole * percent) / 100)
}
