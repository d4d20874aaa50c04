import type { Estimator } from './estimate/estimate.ts'

/** How a model counts compared with an estimator. Plain data: it can be stored with a session. */
export type Calibration = {
  /** Reported tokens for one estimated token. */
  readonly factor: number
  /** The last reports, each as reported ÷ estimated. */
  readonly reports: readonly number[]
}

/** What an estimator counted without calibration, and what the provider reported for the same request. */
export type CountReport = { readonly estimated: number; readonly reported: number }

/** Nothing reported yet. The two reports that agree with the estimator are what a first wild one has to outvote. */
export const UNCALIBRATED: Calibration = { factor: 1, reports: [1, 1] }

const LEAST_FACTOR = 0.5
const MOST_FACTOR = 2
const REMEMBERED_REPORTS = 7

/** In a small request what the provider adds around each message is most of it. */
const SMALLEST_REQUEST = 200

/** Every other factor means that all messages are counted again: not for less than this. */
const WORTH_A_CHANGE = 0.02

/**
 * The calibration after one more report: the median of the last seven, between 0.5 and 2. A report that cannot be true is
 * ignored, and a wild one is one vote.
 */
export function calibrate(calibration: Calibration, report: CountReport): Calibration {
  const { estimated, reported } = report
  if (!(estimated >= SMALLEST_REQUEST && reported > 0) || reported === Number.POSITIVE_INFINITY) return calibration
  const reports = [...calibration.reports, bounded(reported / estimated)].slice(-REMEMBERED_REPORTS)
  const factor = medianNear(reports, calibration.factor)
  const changed = Math.abs(factor / calibration.factor - 1) > WORTH_A_CHANGE
  return { factor: changed ? factor : calibration.factor, reports }
}

/**
 * The estimator times the factor in whole percents. The same estimator and percents give the same object, so that counts
 * that are remembered by estimator stay useful.
 */
export function calibrated(estimator: Estimator, calibration: Calibration): Estimator {
  const percent = Math.round(bounded(calibration.factor) * 100)
  if (percent === 100) return estimator
  let scaled = byPercent.get(estimator)
  if (scaled === undefined) {
    scaled = new Map()
    byPercent.set(estimator, scaled)
  }
  const known = scaled.get(percent) ?? scaledBy(estimator, percent)
  scaled.set(percent, known)
  return known
}

const byPercent = new WeakMap<Estimator, Map<number, Estimator>>()

function scaledBy(estimator: Estimator, percent: number): Estimator {
  return {
    ...estimator,
    name: `${estimator.name} × ${(percent / 100).toFixed(2)}`,
    text: (text) => {
      const tokens = estimator.text(text)
      return tokens > 0 ? Math.max(1, Math.round((tokens * percent) / 100)) : 0
    },
  }
}

/** A factor that is no number, from a damaged store, is as good as none. */
function bounded(factor: number): number {
  return Number.isNaN(factor) ? 1 : Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor))
}

/** Of the two in the middle of an even number of values, and all between them, the nearest to `present`. */
function medianNear(values: readonly number[], present: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1] ?? present
  const high = sorted[sorted.length >> 1] ?? present
  return Math.min(high, Math.max(low, present))
}
