import type { Policy } from '../model/policy.ts'

/** The numbers of tokens that follow from a policy and a window. Those that need a window are absent while it is unknown. */
export type Budget = {
  readonly window?: number
  readonly reserve: number
  /** Automatic compaction from this many tokens on. */
  readonly trigger?: number
  /** The trigger while the prompt cache is cold: the next request would be billed in full anyway. */
  readonly coldTrigger?: number
  /** From here on a compaction does not wait for growth: the next answer may not fit. */
  readonly limit?: number
  /** The most tokens of the rebuilt request. Always under the trigger. */
  readonly target?: number
  /** The growth since the last change that the next automatic compaction waits for. */
  readonly growth: number
  readonly tail: number
  /** The most tokens of a message of the user that stays. Absent: a quarter of the target. */
  readonly user?: number
  readonly summary: number
  readonly index: number
  readonly names: number
}

/** A target of 50 % belongs to a trigger of 80 %. A trigger too near to the target lowers the target in the same proportion. */
const TARGET_PER_TRIGGER = 5 / 8
const TARGET_MOST_OF_TRIGGER = 0.7
/** Growth is a share of the window for which the trigger would be 80 %, so that a low trigger needs less growth. */
const WINDOW_PER_TRIGGER = 5 / 4

/** The budget of a policy for a window. `fixedTokens`: the fixed parts of a request, which no compaction changes. */
export function budgetOf(policy: Policy, window: number | undefined, maxInput?: number, fixedTokens = 0): Budget {
  const known = window !== undefined && window > 0 ? window : undefined
  const reserve = atMost(policy.reserveTokens, policy.reserveMaxPercent, known)
  const whole = known ?? policy.tokenLimit
  const wanted = atMost(policy.nameTokens, policy.nameMaxPercent, whole)
  const always = fixedTokens + wanted
  const most = mostOf(policy.triggerMaxTokens, always, known)
  const trigger = triggerOf(policy, known, reserve, maxInput, most)
  const target = targetOf(policy, known, trigger, always, most)
  const growth = share(
    Math.min(whole ?? 0, (trigger ?? Number.POSITIVE_INFINITY) * WINDOW_PER_TRIGGER),
    policy.growthPercent,
  )
  return {
    window: known,
    reserve,
    trigger,
    coldTrigger: coldTriggerOf(policy, { trigger, target, growth, always: trigger === most ? always : 0 }),
    limit: limitOf(known, reserve, maxInput),
    target,
    growth,
    tail: atMost(policy.keepTokens, policy.keepMaxPercent, whole),
    summary: atMost(policy.summaryTokens || EXPECTED_SUMMARY, policy.allowanceMaxPercent, whole),
    index: atMost(policy.indexTokens, policy.allowanceMaxPercent, whole),
    // A target in tokens was raised to make room for the names; in any other target they get a tenth.
    names:
      target === undefined || target === mostOf(policy.targetMaxTokens, always, known)
        ? wanted
        : Math.min(wanted, share(target, 10)),
  }
}

/** True when tokens > window − reserve, and never when window or reserve is 0 or less (T2). */
export function exceedsReserve(tokens: number, window: number, reserve: number): boolean {
  return window > 0 && reserve > 0 && tokens > window - reserve
}

function limitOf(window: number | undefined, reserve: number, maxInput: number | undefined): number | undefined {
  if (window === undefined) return maxInput
  return Math.min(window - Math.ceil(Math.min(reserve, share(window, 25)) / 4), maxInput ?? window)
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
  // A trigger that counts the conversation alone means a target beside the fixed parts and the names.
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

/** A limit in tokens for the conversation, plus the fixed parts and the names. */
function mostOf(tokens: number | undefined, alwaysTokens: number, window: number | undefined): number {
  return tokens === undefined || window === undefined ? Number.POSITIVE_INFINITY : tokens + alwaysTokens
}

/** The room for a summary whose length the policy leaves to the provider. */
const EXPECTED_SUMMARY = 8_000

function atMost(tokens: number, maxPercent: number, whole: number | undefined): number {
  return whole === undefined ? tokens : Math.min(tokens, share(whole, maxPercent))
}

function share(whole: number, percent: number): number {
  return Math.floor((whole * percent) / 100)
}
