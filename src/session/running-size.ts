import type { Context } from '../engine/context/context.ts'
import {
  calibrationIn,
  hasReasoning,
  type Lesson,
  lessonAfter,
  policyEstimator,
} from '../engine/context/measure/calibration.ts'
import { countedBy } from '../engine/context/view/plain-view.ts'
import { hasNativeCompaction } from '../model/items.ts'
import type { Policy, PolicyPatch } from '../model/policy/policy.ts'
import { type Entry, type EntryOf, knownName, type Message, type ModelInfo, type Seq } from '../model/types.ts'
import { type Budget, budgetOf } from '../tokens/budget.ts'
import { calibrated } from '../tokens/calibrate.ts'
import { charactersByFour, scaleOf, sumOfFixed } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import {
  type Count,
  certainTokens,
  countMessage,
  judgeOf,
  measureFixed,
  tokensBetween,
  tokensOf,
  uncertainOf,
} from '../tokens/sizes.ts'
import { type SizeSums, type Status, statusOfSums } from '../tokens/status.ts'
import { lastModel, originIn } from './import/origin.ts'
import { sessionSettings } from './open-session.ts'

/**
 * The size of one message, the same under every policy. It is stored with the entry, so that no process has to read the message
 * again to know how full the context is.
 */
export type MessageSize = {
  readonly features: Count
  readonly characters: Count
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  readonly model?: string
  /** It has reasoning. */
  readonly thinks?: true
  /** The time of an answer of the model. */
  readonly answeredAt?: number
}

type SizedDraft = Pick<EntryOf<'message'>, 'message' | 'usage' | 'model'>

/** The size of a message; undefined if it changes what is counted of the messages before it. */
export function messageSize({ message, usage, model }: SizedDraft, now: number): MessageSize | undefined {
  if (hasNativeCompaction(message)) return undefined
  return {
    features: countMessage(featureEstimator)(message),
    characters: countMessage(charactersByFour)(message),
    ...(usage === undefined ? {} : { usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens } }),
    ...(model === undefined ? {} : { model }),
    ...(hasReasoning({ message, usage }) ? { thinks: true as const } : {}),
    ...(isAnswer(message) ? { answeredAt: now } : {}),
  }
}

function isAnswer({ role }: Message): boolean {
  return role === 'assistant'
}

/**
 * How full a session is, without its view: the sums of its messages up to an entry. One more message extends it by its own
 * size. Every other entry voids it, and the view has to be read. Plain data: it can be stored with the session.
 */
export type RunningSize = Omit<SizeSums, 'hidden'> & {
  readonly upTo: Seq
  /** The number of items of the view. */
  readonly items: number
  /** The text of all items, by the estimator that judges reports. */
  readonly certain: number
  readonly estimator: Policy['estimator']
  /** The scale of the counts. */
  readonly percent: number
  readonly lesson: Omit<Lesson, 'estimator'>
  /** The model that was named last, in a message or as a setting. */
  readonly model?: string
  readonly answeredAt?: number
  /** The user's choices for the session. */
  readonly chosen: { readonly model?: string; readonly policy: PolicyPatch }
}

/**
 * The running size of a session whose requests have only its messages. Undefined if there is more to count: a session of another
 * agent, fixed parts of an agent, or a compaction that a provider made itself.
 */
export function runningSize(context: Context, log: readonly Entry[]): RunningSize | undefined {
  const { view, sizes, fixed, policy, estimator, calibration } = context
  const { items, anchor, drift, unseenTokens } = view
  if (items.fenced > 0 || items.hidden() > 0 || context.settings.estimator !== undefined) return undefined
  if (originIn(log) !== undefined || sumOfFixed(fixed.own) + sumOfFixed(fixed.judge) > 0) return undefined
  const { estimator: _, ...lesson } = calibration
  const { model, policy: own } = sessionSettings(log)
  const anchored = anchor?.items ?? 0
  const answer = log.findLast((entry) => entry.type === 'message' && isAnswer(entry.message))
  return {
    upTo: view.lastSeq,
    items: items.length,
    anchor,
    drift,
    unseenTokens,
    total: tokensBetween(sizes, 0, items.length),
    anchored: tokensBetween(sizes, 0, anchored),
    judged: certainTokens(judgeOf(sizes), 0, anchored),
    certain: certainTokens(judgeOf(sizes), 0, items.length),
    estimator: policy.estimator,
    percent: scaleOf(estimator).percent,
    lesson,
    model: lastModel(log),
    answeredAt: answer?.at,
    chosen: { model, policy: own },
  }
}

/** The running size after one more message. */
export function withMessageSize(size: RunningSize, message: MessageSize): RunningSize {
  const { estimator, percent } = size
  const base = policyEstimator({ estimator })
  const own = message[estimator]
  // Only characters are judged by another estimator than their own, and that one has no scale.
  const [judge, scale] = base.judge === undefined ? [own, percent] : [message.features, 100]
  const items = size.items + 1
  const total = size.total + tokensOf(own, percent)
  const certain = size.certain + tokensOf(judge, scale) - uncertainOf(judge, scale)
  const { usage, model, thinks = false, answeredAt } = message
  const learned = lessonAfter({ ...size.lesson, estimator: base }, { usage, model, thinks }, (by) =>
    tokensOf(by === featureEstimator ? message.features : message.characters, 100),
  )
  const { estimator: _, ...lesson } = learned
  const next = {
    ...size,
    upTo: size.upTo + 1,
    items,
    total,
    certain,
    lesson,
    model: model ?? size.model,
    answeredAt: answeredAt ?? size.answeredAt,
  }
  const counted = countedBy({ usage, model })
  if (counted === undefined) return next
  return { ...next, anchor: { ...counted, items }, drift: undefined, anchored: total, judged: certain }
}

/**
 * How full the session is, and its budget. Undefined if the counts are not in the scale or by the estimator of this policy and
 * model: then every message has to be counted again.
 */
export function statusOfSize(
  size: RunningSize,
  policy: Policy,
  model: Partial<ModelInfo>,
): { readonly status: Status; readonly budget: Budget } | undefined {
  if (policy.estimator !== size.estimator) return undefined
  const base = policyEstimator(policy)
  const estimator = calibrated(base, calibrationIn({ ...size.lesson, estimator: base }, knownName(model)))
  if (scaleOf(estimator).percent !== size.percent) return undefined
  const status = statusOfSums({ ...size, hidden: 0 }, { fixed: measureFixed({}, estimator), model })
  // Only the texts show whether the report or the estimate is wrong.
  if (status.doubted !== undefined) return undefined
  return { status, budget: budgetOf(policy, model.contextWindow, model.maxInput) }
}
