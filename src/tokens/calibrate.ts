import { type Estimator, scaledEstimator } from './estimate/estimator.ts'

/** How a model counts compared with an estimator. Plain data: it can be stored with a session. */
export type Calibration = {
  /** The number of reported tokens per estimated token. */
  readonly factor: number
  /** The last reports, each as reported ÷ estimated. */
  readonly reports: readonly number[]
}

/** The estimator's count without calibration, and the provider's count of the same request. */
export type CountReport = { readonly estimated: number; readonly reported: number }

/** No reports yet. The two neutral reports keep a single wrong first report from deciding alone. */
export const UNCALIBRATED: Calibration = { factor: 1, reports: [1, 1] }

const LEAST_FACTOR = 0.5
const MOST_FACTOR = 2
const REMEMBERED_REPORTS = 7

/** In a smaller request most tokens are those that the provider adds around each message. */
export const SMALLEST_REQUEST = 200

/** A new factor means that all messages are counted again, so smaller changes are ignored. */
const WORTH_A_CHANGE = 0.02

/**
 * The calibration after one more report: the median of the last seven, between 0.5 and 2. An impossible report is ignored,
 * and an extreme one is only one vote among seven.
 */
export function calibrate(calibration: Calibration, report: CountReport): Calibration {
  const { estimated, reported } = report
  if (!(estimated >= SMALLEST_REQUEST && reported > 0) || reported === Number.POSITIVE_INFINITY) return calibration
  const reports = [...calibration.reports, bounded(reported / estimated)].slice(-REMEMBERED_REPORTS)
  const factor = medianNear(reports, calibration.factor)
  const changed = Math.abs(factor / calibration.factor - 1) > WORTH_A_CHANGE
  return { factor: changed ? factor : calibration.factor, reports }
}

/** The estimator times the factor, in whole percents. */
export function calibrated(estimator: Estimator, calibration: Calibration): Estimator {
  const percent = Math.round(bounded(calibration.factor) * 100)
  return percent === 100 ? estimator : scaledEstimator(estimator, percent)
}

/** A factor that is not a number comes from a damaged store and counts as 1. */
function bounded(factor: number): number {
  return Number.isNaN(factor) ? 1 : Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor))
}

/** The median. For an even number of values, any number between the two in the middle is one: take the nearest to `present`. */
function medianNear(values: readonly number[], present: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1] ?? present
  const high = sorted[sorted.length >> 1] ?? present
  return Math.min(high, Math.max(low, present))
}
