import type { Policy } from '../model/policy.ts'

/** Numbers of tokens that a policy means for a window. What needs a window is absent when it is not known. */
export type Budget = {
  readonly window?: number
  readonly reserve: number
  /** Automatic compaction from this many tokens on. */
  readonly trigger?: number
  /** … and when the provider has forgotten the last request, so that all is written into its cache anew in any case. */
  readonly coldTrigger?: number
  /** From here on waiting for growth is over: the next answer may not fit any more. */
  readonly limit?: number
  /** The rebuilt request may have at most this many tokens. Always under the trigger. */
  readonly target?: number
  /** Growth since the last change before the next automatic compaction. */
  readonly growth: number
  readonly tail: number
  readonly summary: number
  readonly index: number
  readonly names: number
}

/** A target of 50 % belongs to a trigger of 80 %; when the trigger comes too near, the target goes down with it. */
const TARGET_PER_TRIGGER = 5 / 8
const TARGET_MOST_OF_TRIGGER = 0.7
/** Growth is counted on the window that a trigger of 80 % would belong to: under a low trigger less of it is enough. */
const WINDOW_PER_TRIGGER = 5 / 4

/** The budget of a policy for a window. `fixedTokens` is what is sent around the view, whatever is compacted. */
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
  const cold = coldTriggerOf(policy, { trigger, target, growth, always: trigger === most ? always : 0 })
  return {
    window: known,
    reserve,
    trigger,
    ...(cold === undefined ? {} : { coldTrigger: cold }),
    limit: limitOf(known, reserve, maxInput),
    target,
    growth,
    tail: atMost(policy.keepTokens, policy.keepMaxPercent, whole),
    summary: atMost(policy.summaryTokens, policy.allowanceMaxPercent, whole),
    index: atMost(policy.indexTokens, policy.allowanceMaxPercent, whole),
    // Where the target was raised for them the room is theirs; else they are a small part of it.
    names:
      target === undefined || target === mostOf(policy.targetMaxTokens, always, known)
        ? wanted
        : Math.min(wanted, share(target, 10)),
  }
}

/** `kit`: automatic when tokens > window − reserve; never when one of them is 0 or less (T2). */
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
  // Where the trigger counts what was said alone, the target leaves room beside what is always sent.
  const always = trigger === mostTrigger ? alwaysTokens : 0
  return Math.min(most, always + Math.floor((trigger - always) * TARGET_PER_TRIGGER))
}

type Numbers = Pick<Budget, 'trigger' | 'target' | 'growth'> & { readonly always: number }

/** So far above the target that a compaction frees something. */
function coldTriggerOf(
  { coldTriggerPercent }: Policy,
  { trigger, target, growth, always }: Numbers,
): number | undefined {
  if (coldTriggerPercent === undefined || trigger === undefined) return undefined
  const wanted = always + share(trigger - always, coldTriggerPercent)
  return Math.min(trigger, Math.max(wanted, (target ?? 0) + growth))
}

/** A number of tokens beside what is always sent, and the names of what was compacted. */
function mostOf(tokens: number | undefined, alwaysTokens: number, window: number | undefined): number {
  return tokens === undefined || window === undefined ? Number.POSITIVE_INFINITY : tokens + alwaysTokens
}

function atMost(tokens: number, maxPercent: number, whole: number | undefined): number {
  return whole === undefined ? tokens : Math.min(tokens, share(whole, maxPercent))
}

function share(whole: number, percent: number): number {
  return Math.floor((whole * percent) / 100)
}
