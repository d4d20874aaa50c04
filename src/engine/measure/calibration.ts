import type { Entry, ModelCalibration } from '../../model/entry.ts'
import { type Calibration, calibrate, UNCALIBRATED } from '../../tokens/calibrate.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { changesView } from '../view/view-of.ts'

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
 * The calibration of each model, the last to report at the end. Two reports in a row differ by the messages between them:
 * system prompt and tools, which the log does not hold, cancel out. A compaction stores what was learned before it, so
 * that a log without the replaced messages gives the same result. When a log grows, only its new entries are read.
 */
export function learnedFrom(log: readonly Entry[], estimator: Estimator): ModelCalibration[] {
  let lesson = lessons.get(log)
  if (lesson === undefined || !goesOn(lesson, log, estimator)) {
    lesson = {
      estimator,
      read: lastLearned(log),
      last: undefined,
      learned: new Map(),
      counted: undefined,
      estimated: 0,
    }
    lessons.set(log, lesson)
  }
  for (; lesson.read < log.length; lesson.read++) {
    lesson.last = log[lesson.read]
    if (lesson.last !== undefined) learn(lesson, lesson.last)
  }
  return [...lesson.learned.values()].slice(-MOST_MODELS)
}

/** The calibrations learned from the first `read` entries. */
type Lesson = {
  readonly estimator: Estimator
  read: number
  last: Entry | undefined
  learned: Map<string | undefined, ModelCalibration>
  /** The last report; `estimated` is our own count of the messages since. */
  counted: { readonly tokens: number; readonly model: string | undefined } | undefined
  estimated: number
}

const lessons = new WeakMap<readonly Entry[], Lesson>()

function goesOn({ read, last, estimator }: Lesson, log: readonly Entry[], asked: Estimator): boolean {
  return estimator === asked && last === log[read - 1]
}

function lastLearned(log: readonly Entry[]): number {
  return Math.max(
    0,
    log.findLastIndex((entry) => entry.type === 'compaction' && entry.learned !== undefined),
  )
}

function learn(lesson: Lesson, entry: Entry): void {
  if (entry.type === 'compaction' && entry.learned !== undefined) {
    lesson.learned = new Map(entry.learned.map((one) => [one.model, one]))
  }
  if (changesView(entry)) lesson.counted = undefined
  if (entry.type !== 'message') return
  const { usage, model } = entry
  const { counted, learned } = lesson
  if (usage === undefined || usage.inputTokens === 0) {
    // Without a report before it there is nothing to compare with.
    if (counted !== undefined) lesson.estimated += messageTokens(entry.message, lesson.estimator)
    return
  }
  if (counted !== undefined && counted.model === model) {
    const report = { estimated: lesson.estimated, reported: usage.inputTokens - counted.tokens }
    const { factor, reports } = calibrate(learned.get(model) ?? UNCALIBRATED, report)
    learned.delete(model)
    learned.set(model, { model, factor, reports: [...reports] })
  }
  lesson.counted = { tokens: usage.inputTokens + usage.outputTokens, model }
  lesson.estimated = 0
}
