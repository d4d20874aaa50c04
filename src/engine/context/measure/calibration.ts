import type { Policy } from '../../../model/policy/policy.ts'
import {
  type Entry,
  type EntryOf,
  knownName,
  type Message,
  type ModelCalibration,
  type ModelInfo,
  partsOf,
  type Usage,
} from '../../../model/types.ts'
import { type Calibration, calibrate, calibrated, SMALLEST_REQUEST, UNCALIBRATED } from '../../../tokens/calibrate.ts'
import { charactersByFour, type Estimator, messagesTokens, messageTokens } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { voidsCount } from '../view/activity.ts'

/** How a model counts compared with an estimator, learned from the log. Without a name the model that reported last is used. */
export function calibrationOf(log: readonly Entry[], model: string | undefined, estimator: Estimator): Calibration {
  return calibrationIn(lessonOf(log, estimator), model)
}

/** The same from a lesson. */
export function calibrationIn({ learned }: Lesson, model: string | undefined): Calibration {
  const known = learned.slice(-MOST_MODELS)
  const own = model === undefined ? known.at(-1) : known.find((one) => one.model === model)
  const { factor, reports } = own ?? known.find((one) => one.model === undefined) ?? UNCALIBRATED
  return { factor, reports }
}

/** At most this many models are remembered. */
const MOST_MODELS = 8

/** The calibrations learned by an estimator from the entries of a log so far. */
export type Lesson = {
  readonly estimator: Estimator
  /** One per model; the last that reported is at the end. */
  readonly learned: readonly ModelCalibration[]
  readonly base?: Base
  /** Our count of the messages before the first report. Absent after it, and if they are not all in the log. */
  readonly before?: number
  /**
   * The tokens of the first request beyond its messages: the system prompt and the tools of its agent. The first messages are
   * short, so this is as good as a count.
   */
  readonly around?: number
}

/** A report, and our own counts of the messages since: by the estimator that learns, and by the one that judges reports. */
type Base = {
  readonly input: number
  readonly model: string | undefined
  readonly estimated: number
  readonly seen: number
}

/** Counts a message, with an estimator or from an earlier count. */
export type CountMessage = (message: Message, estimator: Estimator) => number

/**
 * The calibration of each model. From one report to the next the input grows by the answer and the messages after it.
 * System prompt and tools, which are not in the log, cancel out. A compaction stores what was learned before it,
 * so a log without the replaced messages gives the same result.
 */
export function lessonOf(log: readonly Entry[], estimator: Estimator, count: CountMessage = messageTokens): Lesson {
  const from = Math.max(0, log.findLastIndex(isCarrying))
  let lesson: Lesson = { estimator, learned: [], before: 0 }
  for (let i = from; i < log.length; i++) lesson = nextLesson(lesson, log[i] as Entry, count)
  return lesson
}

/** The calibrations of all models for all estimators of policies, for an entry that stores them. */
export function allLearnedFrom(log: readonly Entry[]): ModelCalibration[] {
  const count = countedOnce()
  return allLearned(log, lessonOf(log, featureEstimator, count), count)
}

/** Counts each message only once, even if the estimator's judge has counted it. */
function countedOnce(): CountMessage {
  const known = new Map<Message, number>()
  return (message, estimator) => {
    if (estimator !== featureEstimator) return messageTokens(message, estimator)
    const tokens = known.get(message) ?? messageTokens(message, estimator)
    known.set(message, tokens)
    return tokens
  }
}

/** The same if one of the estimators has learned already. */
export function allLearned(log: readonly Entry[], own: Lesson, count?: CountMessage): ModelCalibration[] {
  return [featureEstimator, charactersByFour].flatMap((estimator) => {
    const { learned, around } = estimator === own.estimator ? own : lessonOf(log, estimator, count)
    const known = learned.slice(-MOST_MODELS)
    return around === undefined ? known : known.map((one) => ({ ...one, around }))
  })
}

function isCarrying(entry: Entry): entry is EntryOf<'compaction'> & { learned: readonly ModelCalibration[] } {
  return entry.type === 'compaction' && entry.learned !== undefined
}

/** The lesson after one more entry. */
export function nextLesson(before: Lesson, entry: Entry, count: CountMessage): Lesson {
  const carried = isCarrying(entry) ? carriedBy(before, entry.learned) : before
  const valid = voidsCount(entry) ? { ...carried, base: undefined, before: undefined } : carried
  if (entry.type !== 'message') return valid
  const { usage, model, message } = entry
  // Without a report, the message itself need not be read.
  const thinks = usage !== undefined && hasReasoning(entry)
  return lessonAfter(valid, { usage, model, thinks }, (estimator) => count(message, estimator))
}

/** A message as a lesson needs it, besides its size. */
export type CountedMessage = {
  readonly usage?: Pick<Usage, 'inputTokens' | 'outputTokens'>
  readonly model?: string
  /** It has reasoning. */
  readonly thinks: boolean
}

/** The lesson after one more message. `tokens`: its size by an estimator without a scale. */
export function lessonAfter(
  before: Lesson,
  { usage, model, thinks }: CountedMessage,
  tokens: (estimator: Estimator) => number,
): Lesson {
  if (usage === undefined || usage.inputTokens === 0) return withMessage(before, tokens)
  const lesson = withAround(before, usage.inputTokens)
  const { base } = lesson
  const isSameModel = base !== undefined && base.model === model
  // A short text is compared together with the next messages.
  if (isSameModel && base.estimated < SMALLEST_REQUEST && !thinks) return withMessage(lesson, tokens)
  const learned = isSameModel ? compared(lesson, base, usage.inputTokens) : lesson.learned
  // Reasoning may not be sent again, so the provider's own count is used for an answer with reasoning.
  const input = usage.inputTokens + (thinks ? usage.outputTokens : 0)
  const next = { ...lesson, learned, base: { input, model, estimated: 0, seen: 0 } }
  return thinks ? next : withMessage(next, tokens)
}

function withAround(lesson: Lesson, input: number): Lesson {
  const { before } = lesson
  return before === undefined ? lesson : { ...lesson, before: undefined, around: Math.max(0, input - before) }
}

function carriedBy(lesson: Lesson, carried: readonly ModelCalibration[]): Lesson {
  const own = carried.filter(({ estimator = featureEstimator.name }) => estimator === lesson.estimator.name)
  // The last calibration of a model counts, at the position of its first.
  const learned = [...new Map(own.map(({ around: _, ...one }) => [one.model, one])).values()]
  return { ...lesson, learned, around: own.at(-1)?.around }
}

function withMessage(lesson: Lesson, tokensBy: (estimator: Estimator) => number): Lesson {
  const { base, estimator, before } = lesson
  if (base === undefined && before === undefined) return lesson
  const tokens = tokensBy(estimator)
  if (base === undefined) {
    const sum = (before ?? 0) + tokens
    return { ...lesson, before: sum > MOST_BEFORE ? undefined : sum }
  }
  const judged = estimator.judge === undefined ? tokens : tokensBy(estimator.judge)
  return { ...lesson, base: { ...base, estimated: base.estimated + tokens, seen: base.seen + judged } }
}

/** In a longer request the error of our count is no longer small beside a system prompt. */
const MOST_BEFORE = 20_000

function compared(
  { learned, estimator }: Lesson,
  { input, model, estimated, seen }: Base,
  now: number,
): ModelCalibration[] {
  const known = learned.find((one) => one.model === model) ?? UNCALIBRATED
  const reported = now - input
  // A report below the possible minimum teaches nothing. Otherwise a provider that reports half would also halve our estimate.
  const isPossible = reported >= seen * LEAST_SHARE
  const { factor, reports } = isPossible ? calibrate(known, { estimated, reported }) : known
  const by = estimator === featureEstimator ? {} : { estimator: estimator.name }
  return [...learned.filter((one) => one.model !== model), { model, ...by, factor, reports: [...reports] }]
}

/** In recorded sessions, providers that count honestly went down to 0.8 of our estimate. */
const LEAST_SHARE = 0.7

/** True for an answer with reasoning. */
export function hasReasoning({ message, usage }: Pick<EntryOf<'message'>, 'message' | 'usage'>): boolean {
  return (usage?.reasoningTokens ?? 0) > 0 || partsOf(message).some(({ type }) => type === 'reasoning')
}

/** The estimator of a policy, calibrated on the counts that the provider reported in the log. */
export function estimatorOf(
  policy: Pick<Policy, 'estimator'>,
  log: readonly Entry[] = [],
  model: Partial<ModelInfo> = {},
): Estimator {
  const estimator = policyEstimator(policy)
  return calibrated(estimator, calibrationOf(log, knownName(model), estimator))
}

/** The estimator of a policy before any provider has reported. */
export function policyEstimator({ estimator }: Pick<Policy, 'estimator'>): Estimator {
  return estimator === 'characters' ? charactersByFour : featureEstimator
}

/**
 * An estimate of the tokens of a text or of messages, without a tokenizer and in linear time.
 *
 * @example
 * ```ts
 * import { estimate } from 'pith'
 *
 * console.log(estimate('How many tokens are these words?'), estimate(messages))
 * ```
 */
export function estimate(what: string | Message | readonly Message[], estimator: Estimator = featureEstimator): number {
  if (typeof what === 'string') return estimator.text(what)
  return messagesTokens('role' in what ? [what] : what, estimator)
}
