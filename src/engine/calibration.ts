import type { Entry } from '../model/entry.ts'
import { type Calibration, calibrate, UNCALIBRATED } from '../tokens/calibrate.ts'
import { type Estimator, messageTokens } from '../tokens/estimate.ts'
import { changesView } from './view.ts'

/**
 * How a model counts compared with an estimator, from every usage in the log that it reported. Two reports in a row
 * differ by what was said between them: system prompt and tools, which the log does not hold, cancel out.
 */
export function calibrationOf(log: readonly Entry[], model: string | undefined, estimator: Estimator): Calibration {
  let calibration = UNCALIBRATED
  let counted: number | undefined
  let estimated = 0
  for (const entry of log) {
    if (changesView(entry)) counted = undefined
    if (entry.type !== 'message') continue
    const { usage } = entry
    if (usage === undefined || usage.inputTokens === 0) {
      estimated += messageTokens(entry.message, estimator)
      continue
    }
    const own = model === undefined || entry.model === undefined || entry.model === model
    if (own && counted !== undefined) {
      calibration = calibrate(calibration, { estimated, reported: usage.inputTokens - counted })
    }
    counted = own ? usage.inputTokens + usage.outputTokens : undefined
    estimated = 0
  }
  return calibration
}
