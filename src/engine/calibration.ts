import type { Entry, Learned } from '../model/entry.ts'
import { type Calibration, calibrate, UNCALIBRATED } from '../tokens/calibrate.ts'
import { type Estimator, messageTokens } from '../tokens/estimate.ts'
import { changesView } from './view.ts'

/** How a model counts compared with an estimator, from what the log says; without a name the one that reported last. */
export function calibrationOf(log: readonly Entry[], model: string | undefined, estimator: Estimator): Calibration {
  const learned = learnedFrom(log, estimator)
  const own = model === undefined ? learned.at(-1) : learned.find((one) => one.model === model)
  const { factor, reports } = own ?? learned.find((one) => one.model === undefined) ?? UNCALIBRATED
  return { factor, reports }
}

/** The most models that are remembered. */
const MOST_MODELS = 8

/**
 * What every usage in the log has told, by model, the last to report at the end. Two reports in a row differ by what was
 * said between them: system prompt and tools, which the log does not hold, cancel out. A compaction carries on what
 * was learned before it, so that a log without the messages that it replaced says the same.
 */
export function learnedFrom(log: readonly Entry[], estimator: Estimator): Learned[] {
  const start = Math.max(
    0,
    log.findLastIndex((entry) => entry.type === 'compaction' && entry.learned !== undefined),
  )
  let learned = new Map<string | undefined, Learned>()
  let counted: { readonly tokens: number; readonly model: string | undefined } | undefined
  let estimated = 0
  for (const entry of log.slice(start)) {
    if (entry.type === 'compaction' && entry.learned !== undefined) {
      learned = new Map(entry.learned.map((one) => [one.model, one]))
    }
    if (changesView(entry)) counted = undefined
    if (entry.type !== 'message') continue
    const { usage, model } = entry
    if (usage === undefined || usage.inputTokens === 0) {
      // Without a report before it there is nothing to compare with.
      if (counted !== undefined) estimated += messageTokens(entry.message, estimator)
      continue
    }
    if (counted !== undefined && counted.model === model) {
      const report = { estimated, reported: usage.inputTokens - counted.tokens }
      const { factor, reports } = calibrate(learned.get(model) ?? UNCALIBRATED, report)
      learned.delete(model)
      learned.set(model, { ...(model === undefined ? {} : { model }), factor, reports: [...reports] })
    }
    counted = { tokens: usage.inputTokens + usage.outputTokens, model }
    estimated = 0
  }
  return [...learned.values()].slice(-MOST_MODELS)
}
