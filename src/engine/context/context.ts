import { Items } from '../../model/items.ts'
import type { Policy, PolicyPatch } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import type { Steps } from '../../model/steps.ts'
import {
  type Drift,
  type Entry,
  type Fixed,
  knownName,
  type Message,
  type ModelInfo,
  uncounted,
  type View,
} from '../../model/types.ts'
import { Sequence, sameData } from '../../model/values.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { calibrated } from '../../tokens/calibrate.ts'
import { type Estimator, messagesTokens, sumOfFixed } from '../../tokens/estimate/estimator.ts'
import {
  type FixedSizes,
  hiddenTokens,
  measureFixed,
  type Sizes,
  sizesAgain,
  sizesOf,
  sizesSteps,
  tokensBetween,
  tokensKnown,
} from '../../tokens/sizes.ts'
import { besideTokens, type Status, statusBy } from '../../tokens/status.ts'
import { calibrationIn, type Lesson, lessonOf, policyEstimator } from './measure/calibration.ts'
import type { ViewFacts } from './open-context.ts'
import type { FoldCache, FoldedLog } from './view/plain-view.ts'

/** The number of summariser failures in a row. A new session has none. */
export type Breaker = { readonly failures: number; readonly lastFailureAt: number }
export type BreakerState = 'closed' | 'open' | 'half-open'
type BreakerPolicy = Pick<Policy, 'breakerFailures' | 'breakerCooldownMs'>

export const closedBreaker: Breaker = { failures: 0, lastFailureAt: 0 }

/** The breaker of a session: a fold over its log. A model's summary closes it. */
export function breakerOf(log: readonly Entry[]): Breaker {
  return log.reduce(nextBreaker, closedBreaker)
}

/** The breaker after one more entry. */
export function nextBreaker(breaker: Breaker, entry: Entry): Breaker {
  if (entry.type === 'attempt' && entry.outcome === 'failed')
    return { failures: breaker.failures + 1, lastFailureAt: entry.at }
  return entry.type === 'compaction' && (entry.rung === 'warm' || entry.rung === 'cold') ? closedBreaker : breaker
}

/** Open after enough failures in a row. After the cool-down one try is allowed; if it fails, the breaker opens again. */
export function breakerState(breaker: Breaker, policy: BreakerPolicy, now: number): BreakerState {
  if (breaker.failures < policy.breakerFailures) return 'closed'
  // If the clock was set back, the breaker must not stay open until the time of the failure comes again.
  return Math.abs(now - breaker.lastFailureAt) < policy.breakerCooldownMs ? 'open' : 'half-open'
}

/** The breaker after one more failure, and whether that failure has tripped it. */
export function recordFailure(
  breaker: Breaker,
  policy: BreakerPolicy,
  now: number,
): { breaker: Breaker; tripped: boolean } {
  const wasOpen = breakerState(breaker, policy, now) === 'open'
  const after = { failures: breaker.failures + 1, lastFailureAt: now }
  return { breaker: after, tripped: !wasOpen && after.failures >= policy.breakerFailures }
}

/** A success closes the breaker. */
export function recordSuccess(): Breaker {
  return closedBreaker
}

/** The settings for a log: how to compact, which model it is for, and the parts that every request has besides it. */
export type ContextSettings = {
  readonly policy?: PolicyPatch
  readonly model?: Partial<ModelInfo>
  readonly fixed?: Fixed
  /** Counts tokens. The default is the policy's estimator, calibrated on the provider's reports in the log. */
  readonly estimator?: Estimator
}

/**
 * A log, and everything derived from it. It is opened once and extended entry by entry. Each step returns a new one and costs
 * only as much as the new entry. The owner of a session keeps its Context; nothing else in the engine remembers anything.
 */
export type Context = {
  readonly settings: ContextSettings
  readonly policy: Policy
  readonly budget: Budget
  readonly model: Partial<ModelInfo>
  readonly estimator: Estimator
  readonly fixed: FixedSizes
  readonly log: Sequence<Entry>
  /** The messages that the model sees. */
  readonly view: View
  /** The parts of the view that the next fold can reuse. */
  readonly made: FoldCache
  readonly sizes: Sizes
  /** Found when they are first needed, so the last items may have none yet. */
  readonly facts: ViewFacts
  readonly calibration: Lesson
  readonly breaker: Breaker
}

const NO_FACTS: ViewFacts = { items: Items.of(), found: Sequence.of(), open: new Map() }

/** The Context of a log and its view. `before`: a Context of the same conversation, whose messages need not be counted again. */
export function contextFrom(
  log: readonly Entry[],
  settings: ContextSettings,
  { view, made }: FoldedLog,
  before?: KnownParts,
): Context {
  const policy = policyOf(settings.policy)
  const base = policyEstimator(policy)
  const estimator = settings.estimator ?? base
  const counted =
    before === undefined ? sizesOf(view.items, estimator) : sizesAgain(before.sizes, view.items, estimator)
  const calibration = lessonOf(log, base, tokensKnown(counted))
  const facts = before?.facts ?? NO_FACTS
  const parts = { log: Sequence.of(log), view, made, facts, breaker: breakerOf(log), settings, policy, calibration }
  return measured(parts, counted, before?.fixed)
}

/** The parts of an earlier Context that need not be made again. */
type KnownParts = Pick<Context, 'sizes'> & Partial<Pick<Context, 'facts' | 'fixed'>>

/** The same in steps: counting a long list takes a while. */
export function* contextSteps(
  log: readonly Entry[],
  settings: ContextSettings,
  folded: FoldedLog,
  before?: Context,
): Steps<Context> {
  if (before !== undefined) return contextFrom(log, settings, folded, before)
  const estimator = settings.estimator ?? policyEstimator(policyOf(settings.policy))
  return contextFrom(log, settings, folded, { sizes: yield* sizesSteps(folded.view.items, estimator) })
}

/** The same log with other settings. */
export function withSettings(context: Context, settings: ContextSettings): Context {
  const { settings: before, log, view, sizes } = context
  if (sameData(settings, before)) return context
  const isSamePolicy = sameData(settings.policy, before.policy)
  const policy = isSamePolicy ? context.policy : policyOf(settings.policy)
  const base = policyEstimator(policy)
  const counted = sizesAgain(sizes, view.items, settings.estimator ?? base)
  const calibration =
    base === context.calibration.estimator ? context.calibration : lessonOf(log.slice(), base, tokensKnown(counted))
  return measured({ ...context, settings, policy, calibration }, counted, context.fixed)
}

/** The same Context with another view of the log. */
export function withView(context: Context, view: View): Context {
  if (view === context.view) return context
  return { ...context, view, sizes: sizesAgain(context.sizes, view.items, context.estimator) }
}

/** How full the context is: the one number. `pending`: input that is not in the log yet. */
export function statusIn(
  context: Pick<Context, 'view' | 'sizes' | 'fixed' | 'model'>,
  pending: readonly Message[] = [],
): Status {
  const { view, sizes, fixed, model } = context
  return statusBy({ view, sizes, fixed, model, pendingTokens: messagesTokens(pending, sizes.estimator) })
}

/** The same, ignoring the provider's count. */
export function estimateIn(
  context: Pick<Context, 'view' | 'sizes' | 'fixed' | 'model'>,
  pending?: readonly Message[],
): number {
  return statusIn({ ...context, view: uncounted(context.view) }, pending).tokens
}

/** The part of a status that is neither in the log nor among the known fixed parts: another agent's prompt and tools. */
export function notInLogTokens(context: MeasuredView, status: Pick<Status, 'tokens' | 'source'>): number {
  const { fixed, calibration } = context
  if (!fixed.isPartial) return 0
  return Math.max(
    0,
    Math.round(besideTokens({ ...context, around: calibration.around }, status)) - sumOfFixed(fixed.own),
  )
}

type MeasuredView = Pick<Context, 'view' | 'sizes' | 'fixed' | 'model'> & {
  readonly calibration: { readonly around?: number | undefined }
}

/**
 * How the provider's count of the view differs from our estimate, if it has counted. Without it a change of the view would
 * look like a gain.
 */
export function driftIn(context: MeasuredView, pending: readonly Message[] = []): Drift | undefined {
  const { view, sizes, calibration } = context
  const status = statusIn(context, pending)
  if (status.source !== 'provider') return view.drift
  const pendingTokens = messagesTokens(pending, sizes.estimator)
  const beside = besideTokens({ ...context, around: calibration.around, pendingTokens }, status)
  const messages = estimateIn(context, pending) - sumOfFixed(context.fixed.own)
  const factor = messages > 0 ? (status.tokens - beside) / messages : 1
  return { factor, model: view.anchor?.model, beside: Math.round(beside) }
}

/** The tokens of the part that a provider has compacted itself. */
export function fencedTokens({ sizes }: Pick<Context, 'sizes'>): number {
  const { fenced } = sizes.items
  return fenced === 0 ? 0 : tokensBetween(sizes, 0, fenced) - hiddenTokens(sizes, fenced)
}

/** The tokens that no compaction can save. */
export function alwaysTokens({ fixed, sizes }: Pick<Context, 'fixed' | 'sizes'>): number {
  return sumOfFixed(fixed.own) + fencedTokens({ sizes })
}

export type Unmeasured = Omit<Context, 'budget' | 'model' | 'estimator' | 'fixed' | 'sizes'>

/** Adds everything that depends on the settings and the calibration: the estimator, the sizes it gives, and the budget. */
export function measured(parts: Unmeasured, counted: Sizes, before?: FixedSizes): Context {
  const { settings, policy, view, calibration } = parts
  const { model = {} } = settings
  const estimator =
    settings.estimator ?? calibrated(policyEstimator(policy), calibrationIn(calibration, knownName(model)))
  const sizes = sizesAgain(counted, view.items, estimator)
  const fixed = measureFixed(settings.fixed ?? {}, estimator, before)
  const budget = budgetOf(policy, model.contextWindow, model.maxInput, alwaysTokens({ fixed, sizes }))
  return { ...parts, model, estimator, sizes, fixed, budget }
}
