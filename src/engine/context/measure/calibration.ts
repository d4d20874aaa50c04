import type { Entry, EntryOf, ModelCalibration } from '../../../model/entry.ts'
import { type Message, partsOf } from '../../../model/message/message.ts'
import { KnownBeginnings } from '../../../model/values/known-beginnings.ts'
import { type Calibration, calibrate, SMALLEST_REQUEST, UNCALIBRATED } from '../../../tokens/calibrate.ts'
import { charactersByFour, type Estimator, messageTokens } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { perEstimator } from '../../../tokens/estimate/per-estimator.ts'
import { LEAST_SHARE } from '../../../tokens/possible-count.ts'
import { changesView } from '../view/changes-view.ts'

/** How a model counts compared with an estimator, learned from the log. Without a name it is the model that reported last. */
export function calibrationOf(log: readonly Entry[], model: string | undefined, estimator: Estimator): Calibration {
  const learned = learnedFrom(log, estimator)
  const own = model === undefined ? learned.at(-1) : learned.find((one) => one.model === model)
  const { factor, reports } = own ?? learned.find((one) => one.model === undefined) ?? UNCALIBRATED
  return { factor, reports }
}

/** At most this many models are remembered. */
const MOST_MODELS = 8

/**
 * The calibration of each model, the last to report at the end. From one report to the next the input grows by the answer
 * and by what was said between them: system prompt and tools, which the log does not hold, cancel out. A compaction stores
 * what was learned before it, so that a log without the replaced messages gives the same result. When a log grows, only
 * its new entries are read.
 */
function learnedFrom(log: readonly Entry[], estimator: Estimator): ModelCalibration[] {
  const lessons = lessonsOf(estimator)
  const known = lessons.longest(log, ({ start }) => start)
  const lesson = known?.value ?? { estimator, start: lastLearned(log), learned: new Map(), base: undefined }
  const read = known?.length ?? lesson.start
  log.slice(read).forEach((entry, i) => {
    if (isCarrying(entry)) lesson.start = read + i
    learn(lesson, entry)
  })
  lessons.keep(log, lesson, known)
  return [...lesson.learned.values()].slice(-MOST_MODELS)
}

/** The calibrations of all models by the estimators that policies have, for an entry that carries them on. */
export function allLearnedFrom(log: readonly Entry[]): ModelCalibration[] {
  return [featureEstimator, charactersByFour].flatMap((estimator) => learnedFrom(log, estimator))
}

/** The calibrations learned from the entries so far. */
type Lesson = {
  readonly estimator: Estimator
  /** The last entry that carries all that was learned before it, or the first of the log. */
  start: number
  learned: Map<string | undefined, ModelCalibration>
  base: Base | undefined
}

/** A report, and our own counts of what was said since: by the estimator that learns, and by the one that judges reports. */
type Base = { readonly input: number; readonly model: string | undefined; estimated: number; seen: number }

const lessonsOf = perEstimator(() => new KnownBeginnings<Entry, Lesson>())

function lastLearned(log: readonly Entry[]): number {
  return Math.max(0, log.findLastIndex(isCarrying))
}

function isCarrying(entry: Entry): entry is EntryOf<'compaction'> & { learned: readonly ModelCalibration[] } {
  return entry.type === 'compaction' && entry.learned !== undefined
}

function learn(lesson: Lesson, entry: Entry): void {
  if (isCarrying(entry)) {
    const own = entry.learned.filter(({ estimator = featureEstimator.name }) => estimator === lesson.estimator.name)
    lesson.learned = new Map(own.map((one) => [one.model, one]))
  }
  if (changesView(entry)) lesson.base = undefined
  if (entry.type !== 'message') return
  const { usage, model, message } = entry
  if (usage === undefined || usage.inputTokens === 0) return addTo(lesson, message)
  const { base } = lesson
  const thinks = hasReasoning(entry)
  const isSameModel = base !== undefined && base.model === model
  // Little text is compared together with what is said next.
  if (isSameModel && base.estimated < SMALLEST_REQUEST && !thinks) return addTo(lesson, message)
  if (isSameModel) compare(lesson, base, usage.inputTokens)
  // Reasoning may not be sent again, so the provider's own count stands for an answer with it.
  lesson.base = { input: usage.inputTokens + (thinks ? usage.outputTokens : 0), model, estimated: 0, seen: 0 }
  if (!thinks) addTo(lesson, message)
}

function addTo({ base, estimator }: Lesson, message: Message): void {
  if (base === undefined) return
  base.estimated += messageTokens(message, estimator)
  base.seen += messageTokens(message, estimator.judge ?? estimator)
}

function compare({ learned, estimator }: Lesson, { input, model, estimated, seen }: Base, now: number): void {
  const known = learned.get(model) ?? UNCALIBRATED
  const reported = now - input
  // Less than the text can be is nothing to learn from: half of each count would halve the estimate too.
  const isPossible = reported >= seen * LEAST_SHARE
  const { factor, reports } = isPossible ? calibrate(known, { estimated, reported }) : known
  learned.delete(model)
  const by = estimator === featureEstimator ? {} : { estimator: estimator.name }
  learned.set(model, { model, ...by, factor, reports: [...reports] })
}

function hasReasoning({ message, usage }: EntryOf<'message'>): boolean {
  return (usage?.reasoningTokens ?? 0) > 0 || partsOf(message).some(({ type }) => type === 'reasoning')
}
