import type { Estimator, Scale } from './estimator.ts'

/** An estimator that counts a percentage of another one's tokens, but at least one for a text. */
export function scaledEstimator(of: Estimator, percent: number): Estimator {
  return {
    ...of,
    name: `${of.name} × ${(percent / 100).toFixed(2)}`,
    text: (text: string) => scaledCount(of.text(text), percent),
    scale: { of, percent },
  }
}

/** The tokens of a text, scaled. */
export function scaledCount(tokens: number, percent: number): number {
  return tokens > 0 ? Math.max(1, Math.round((tokens * percent) / 100)) : 0
}

/** The estimator that reads texts, and the percentage of its counts. */
export function scaleOf(estimator: Estimator): Scale {
  return estimator.scale ?? { of: estimator, percent: 100 }
}

/** True if two estimators give the same counts. */
export function countsAlike(a: Estimator, b: Estimator): boolean {
  const [one, other] = [scaleOf(a), scaleOf(b)]
  return a === b || (one.of === other.of && one.percent === other.percent)
}
